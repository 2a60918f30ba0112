import { defineConfig } from 'vitest/config'
import { probes } from '../plugin/plugin.ts'

/** The configuration of a folder that has probe files and none of its own. */
export default defineConfig({ plugins: [probes()] })
