import Type from 'typebox'
import { PROBE_CLASSES } from '../model/probe-class.ts'

export const Class = Type.Enum([...PROBE_CLASSES])

export const FixtureIndex = Type.Integer({ minimum: 0, description: 'Position in `fixtures` of the leaderboard.' })

export const FileIndex = Type.Integer({ minimum: 0, description: 'Position in `files` of the leaderboard.' })
