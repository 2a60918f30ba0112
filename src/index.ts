export { probe, probeFixtures, type ProbeFunction } from './probe/probe.ts'
export type { Expectation, ProbeOptions } from './probe/probe-options.ts'
export type { Check, CheckInput, Checks } from './probe/checks.ts'
export type { Fixture, LoadedFixture, ProbeClass } from './model/fixture.ts'
