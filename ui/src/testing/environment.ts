/** The test environment: Svelte for browsers, with as much of a browser as a state class needs. */
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
