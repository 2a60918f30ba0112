import Type from 'typebox'

/** What the shapes of the registry and the leaderboard have in common. */
export const Count = Type.Integer({ minimum: 0 })
export const Share = Type.Number({ minimum: 0, maximum: 1 })
export const exact = { additionalProperties: false } as const

/** This, or null. */
export const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(type: T, description?: string) =>
  Type.Union([type, Type.Null()], description === undefined ? {} : { description })
