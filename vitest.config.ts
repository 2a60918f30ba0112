import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { probes } from './src/plugin/index.ts'

// Loaded when a form is saved: it brings fonts and an image library.
const renderForm = async (file: string): Promise<Uint8Array> => {
  const { renderFormFile } = await import('./kits/probe-kit/render-form.ts')
  return renderFormFile(file)
}

export default defineConfig({
  plugins: [probes({ renderForm })],
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
