import { probeFixtures } from 'modelrig-probes'

probeFixtures('grounding')
