import { probeFixtures } from 'modelrig-probes'

probeFixtures('caching')
