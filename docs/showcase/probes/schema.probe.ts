import { probeFixtures } from 'modelrig-probes'

probeFixtures('schema')
