import Type, { type Static } from 'typebox'

export const closed = { additionalProperties: false }

export const Text = Type.String({ minLength: 1 })
export const Path = Type.String({
  minLength: 1,
  description: "Path in the fixture's expectedValues that this text answers.",
})
export const Font = Type.Enum(['sans', 'serif', 'mono', 'hand'], { description: 'hand looks like handwriting.' })
const Colour = Type.String({ pattern: '^#[0-9a-f]{6}$', description: 'Six hex digits, e.g. #1f4e79.' })

/** A font of the form: printed sans, serif or mono, or handwriting. */
export type FontName = Static<typeof Font>

const BoundLine = Type.Object({ text: Text, field: Type.Optional(Path) }, closed)

// One schema for both shapes, not a union: a mistake inside the object is then told by its own name.
const StampLine = Type.Unsafe<string | Static<typeof BoundLine>>({
  ...BoundLine,
  type: ['string', 'object'],
  minLength: 1,
})

export const StampSchema = Type.Object(
  {
    lines: Type.Array(StampLine, { minItems: 1 }),
    x: Type.Number({ description: 'Centre, in page pixels.' }),
    y: Type.Number({ description: 'Centre, in page pixels.' }),
    rotation: Type.Optional(Type.Number({ minimum: -90, maximum: 90, description: 'Degrees, clockwise.' })),
    colour: Type.Optional(Colour),
    opacity: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1 })),
    size: Type.Optional(Type.Number({ minimum: 10, maximum: 90, description: 'Text size in pixels.' })),
    frame: Type.Optional(Type.Enum(['box', 'round', 'none'])),
    font: Type.Optional(Font),
  },
  closed,
)

export const PageSchema = Type.Object(
  {
    width: Type.Integer({ minimum: 300, maximum: 1568, description: 'Pixels.' }),
    height: Type.Integer({ minimum: 200, maximum: 1568, description: 'Pixels.' }),
    tint: Type.Optional(Colour),
    font: Type.Optional(Font),
    valueFont: Type.Optional(Font),
    ink: Type.Optional(Colour),
    pen: Type.Optional(Type.String({ ...Colour, description: 'Colour of filled-in values and marks.' })),
    corrections: Type.Optional(
      Type.String({
        ...Colour,
        description: 'Colour of what is crossed out and written beside it; otherwise the pen.',
      }),
    ),
    accent: Type.Optional(Colour),
    density: Type.Optional(Type.Enum(['normal', 'dense'])),
    paper: Type.Optional(
      Type.Enum(['plain', 'ruled', 'squared', 'waves'], {
        description: 'waves is the ground of a card or certificate.',
      }),
    ),
    edge: Type.Optional(Type.Enum(['none', 'card'], { description: 'card has a rounded border.' })),
  },
  closed,
)

export const DamageSchema = Type.Object(
  {
    rotation: Type.Optional(Type.Number({ minimum: -8, maximum: 8, description: 'Degrees, clockwise.' })),
    skew: Type.Optional(Type.Number({ minimum: -8, maximum: 8, description: 'Degrees the verticals lean.' })),
    contrast: Type.Optional(Type.Number({ minimum: 0.15, maximum: 1, description: '1 keeps the ink, less fades it.' })),
    creases: Type.Optional(Type.Integer({ minimum: 1, maximum: 3, description: 'Folds across the page.' })),
    shadow: Type.Optional(Type.Number({ minimum: 0, maximum: 0.9, description: 'Darkness of the scan shadow.' })),
    blur: Type.Optional(Type.Number({ minimum: 0.3, maximum: 4, description: 'Gaussian sigma in pixels.' })),
    noise: Type.Optional(
      Type.Object(
        {
          amount: Type.Number({ exclusiveMinimum: 0, maximum: 60, description: 'Standard deviation in tones of 256.' }),
          seed: Type.Integer({ minimum: 0, maximum: 0xffffffff }),
        },
        closed,
      ),
    ),
    jpeg: Type.Optional(Type.Integer({ minimum: 5, maximum: 95, description: 'JPEG quality the page went through.' })),
    greyscale: Type.Optional(Type.Boolean()),
    tones: Type.Optional(Type.Integer({ minimum: 4, maximum: 128, description: 'Tones a channel keeps.' })),
  },
  closed,
)

/** Paper, fonts and colours. */
export type Page = Static<typeof PageSchema>
/** A rubber stamp, or something scribbled, over the printed page. */
export type Stamp = Static<typeof StampSchema>
/** What happened to the page between the printer and the PNG. */
export type Damage = Static<typeof DamageSchema>
