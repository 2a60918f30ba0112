import { expect, test } from 'vitest'
import { classOfProbeFile } from '../../src/plugin/probe-files.ts'

test.for<[string, string | null]>([
  ['probes/image.probe.ts', 'image'],
  ['probes/image/invoices.probe.ts', 'image'],
  ['probes/deep/schema/x/y.probe.mts', 'schema'],
  ['probes/invoices.image.probe.ts', 'image'],
  ['probes/caching-long.probe.ts', 'caching'],
  ['probes/my-grounding.probe.ts', 'grounding'],
  ['probes/schema/image.probe.ts', 'schema'],
  ['probes/imagery.probe.ts', null],
  ['probes/other.probe.ts', null],
  ['probes/schema/image/x.probe.ts', null],
  ['probes/image-and-schema.probe.ts', null],
])('%s is of class %s', ([file, expected]) => {
  expect(classOfProbeFile(file)).toBe(expected)
})
