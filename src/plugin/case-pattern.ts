import { basename, dirname } from 'node:path'
import type { FixtureFiles } from '../fixtures/uses.ts'
import { printable } from '../model/printable.ts'

export const ALL_CASES: RegExp = /^/

/** Matches the names of tests that are about one of these fixtures: their cases, and what is wrong with their files. */
export function casesOf(fixtures: readonly FixtureFiles[]): RegExp {
  return new RegExp(anyOf(fixtures))
}

/** Matches the names of all tests but those. */
export function casesBeside(fixtures: readonly FixtureFiles[]): RegExp {
  return fixtures.length === 0 ? ALL_CASES : new RegExp(`^(?![^]*(?:${anyOf(fixtures)}))`)
}

/** Matches what one of them matches. None has flags. */
export function either(patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => `(?:${source})`).join('|'))
}

/** Matches what both match, with the flags of the first. */
export function both(one: RegExp, other: RegExp): RegExp {
  return new RegExp(`^(?=[^]*(?:${one.source}))(?=[^]*(?:${other.source}))`, one.flags)
}

function anyOf(fixtures: readonly FixtureFiles[]): string {
  return fixtures.map(({ id, file }) => `(?:^| )${literal(id)}$|(?:^|[\\\\/])${placeOf(file)}: `).join('|')
}

/** What a name says of a file that is broken, wherever the run began: its folder and its own name. */
function placeOf(file: string): string {
  return [basename(dirname(file)), basename(file)].map((step) => literal(printable(step))).join('[\\\\/]')
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}
