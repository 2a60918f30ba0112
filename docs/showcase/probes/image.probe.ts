import { probeFixtures } from 'modelrig-probes'

probeFixtures('image')
