import { mount } from 'svelte'
import App from './App.svelte'
import { app } from './lib/app.svelte'
import { call } from './lib/ipc'

const target = document.getElementById('app')
if (target) {
  await app.start()
  target.replaceChildren()
  mount(App, { target })
  // Two frames later the first screen is painted and can be used.
  requestAnimationFrame(() => requestAnimationFrame(() => void call('perf_mark', 'interactive')))
}
