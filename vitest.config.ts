import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { probes } from './src/plugin/index.ts'
import { ProcessesFirst } from './test/support/processes-first.ts'

// By its address, so that it is no part of the bundled configuration: it brings fonts and an image library, and is loaded when
// a form is saved.
const KIT = new URL('./kits/probe-kit/render-form.ts', import.meta.url).href

const renderForm = async (file: string): Promise<Uint8Array> => {
  const kit = (await import(KIT)) as typeof import('./kits/probe-kit/render-form.ts')
  return kit.renderFormFile(file)
}

export default defineConfig({
  plugins: [probes({ renderForm })],
  resolve: { alias: { 'modelrig-probes': fileURLToPath(new URL('./src/index.ts', import.meta.url)) } },
  test: {
    sequence: { sequencer: ProcessesFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          globalSetup: ['test/support/build-package.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // Many tests wait for processes of their own.
          maxWorkers: '100%',
          // A process for each file would only load the same code again. What a test changes of its process it puts back.
          isolate: false,
        },
      },
    ],
  },
})
