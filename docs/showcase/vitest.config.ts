import { probes } from 'modelrig-probes/plugin'
import { defineConfig } from 'vitest/config'

const price = (inputUsdPerMTok: number, outputUsdPerMTok: number) => ({ inputUsdPerMTok, outputUsdPerMTok })

// Made up, as the models are.
const prices = {
  'sim/perfect': price(5, 25),
  'sim/steady': price(1.25, 10),
  'sim/steady:7': price(1.25, 10),
  'sim/flaky': price(1, 5),
  'sim/careless': price(0.1, 0.4),
  'sim/careless:2': price(0.1, 0.4),
  'sim/garbled': price(0.05, 0.2),
}

export default defineConfig({ plugins: [probes({ prices })] })
