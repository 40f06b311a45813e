import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [svelte()],
  build: { target: 'safari16', reportCompressedSize: false, manifest: true },
  test: { environment: 'node', include: ['src/**/*.test.ts'] },
})
