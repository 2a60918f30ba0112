import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { probes } from './src/plugin/index.ts'

export default defineConfig({
  plugins: [probes()],
  resolve: { alias: { 'modelrig-probes': fileURLToPath(new URL('./src/index.ts', import.meta.url)) } },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          globalSetup: ['test/support/build-package.ts'],
          testTimeout: 60_000,
        },
      },
    ],
  },
})
