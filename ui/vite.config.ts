import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'
import { fixedIcons } from './icons.ts'

export default defineConfig(({ mode }) => ({
  plugins: [fixedIcons(), svelte()],
  // The oldest web view: macOS 13 came with Safari 16. A tidy test reads what is built.
  // An old one loads parts without being told before; the polyfill for that would weigh on every start.
  build: {
    target: 'safari16',
    reportCompressedSize: false,
    manifest: true,
    modulePreload: { polyfill: false },
    // One file instead of two dozen before the first screen: the web view asks the program for each.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'start', tags: ['$initial'] }] } } },
  },
  // Tests run the Svelte that the window runs, and read the menu bar of the program.
  ...(mode === 'test'
    ? { resolve: { conditions: ['browser'] }, server: { fs: { allow: ['.', '../src-tauri/src'] } } }
    : {}),
  test: {
    environment: './src/testing/environment.ts',
    include: ['src/**/*.test.ts'],
    setupFiles: './src/testing/words.ts',
    // Read for the contrast of its colours; others are not.
    css: { include: /tokens\.css/ },
  },
}))
