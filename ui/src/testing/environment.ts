/** Tests run what the window runs: Svelte for browsers, and no more of a browser than a class of state needs. */
import type { Environment } from 'vitest/runtime'

export default {
  name: 'page',
  viteEnvironment: 'client',
  setup(global) {
    global.window = global
    global.document = { documentElement: { dataset: {}, lang: '' } }
    global.navigator = { language: 'en', platform: 'Linux' }
    return { teardown: () => {} }
  },
} satisfies Environment
