import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

export default defineConfig(({ mode }) => ({
  plugins: [svelte()],
  build: { target: 'safari16', reportCompressedSize: false, manifest: true },
  // Tests run the Svelte that the window runs.
  ...(mode === 'test' ? { resolve: { conditions: ['browser'] } } : {}),
  test: {
    environment: './src/testing/environment.ts',
    include: ['src/**/*.test.ts'],
    setupFiles: './src/testing/words.ts',
  },
}))
