export { probe, probeFixtures, type ProbeFunction, type ProbeOptions } from './probe/probe.ts'
export type { Fixture, LoadedFixture, ProbeClass } from './model/fixture.ts'
