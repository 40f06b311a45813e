import { mount } from 'svelte'
import App from './App.svelte'
import { closing } from './lib/closing.svelte'
import { drops } from './lib/drops.svelte'
import { call } from './lib/ipc'
import { followMenu } from './lib/keys'
import { session } from './lib/session.svelte'
import { updates } from './lib/updates.svelte'

const target = document.getElementById('app')
if (target) {
  // Not awaited: every part that is loaded later would wait for the end of this file.
  void session.start(() => {
    target.replaceChildren()
    mount(App, { target })
    // After two frames the first screen is painted and usable.
    requestAnimationFrame(() => requestAnimationFrame(() => void call('perf_mark', 'interactive')))
    void updates.start()
    void followMenu()
    void closing.follow()
    void drops.follow()
  })
}
