import Type, { type Static, type TSchema } from 'typebox'

const closed = { additionalProperties: false }

const Text = Type.String({ minLength: 1 })
const Colour = Type.String({ pattern: '^#[0-9a-f]{6}$', description: 'Six hex digits, e.g. #1f4e79.' })
const Path = Type.String({ minLength: 1, description: "Path in the fixture's expectedValues that this text answers." })
const Font = Type.Enum(['sans', 'serif', 'mono', 'hand'], { description: 'hand looks like handwriting.' })
const Labels = Type.Enum(['left', 'above'], { description: 'Where a label stands relative to its value.' })
const Columns = Type.Integer({ minimum: 1, maximum: 3, description: 'Columns side by side.' })

/** A font of the form: printed sans, serif or mono, or handwriting. */
export type FontName = Static<typeof Font>

const BoundText = Type.Object({ text: Text, field: Type.Optional(Path) }, closed)

/** Text on the form, as a plain string or with the fixture value it answers. */
export type Cell = string | Static<typeof BoundText>

// One schema for both shapes, not a union: a mistake inside the object is then told by its own name.
const CellSchema = Type.Unsafe<Cell>({ ...BoundText, type: ['string', 'object'], minLength: 1 })

const FieldsSection = Type.Object(
  {
    kind: Type.Literal('fields'),
    title: Type.Optional(Text),
    style: Type.Enum(['boxed', 'line', 'plain']),
    columns: Type.Optional(Columns),
    labels: Type.Optional(Labels),
    labelShare: Type.Optional(
      Type.Number({ minimum: 0.15, maximum: 0.8, description: 'Share of the column that a label at the left takes.' }),
    ),
    font: Type.Optional(Font),
    fields: Type.Array(
      Type.Object(
        {
          label: Text,
          value: Type.String({ description: 'Empty for a blank that nobody filled in.' }),
          field: Type.Optional(Path),
          span: Type.Optional(Columns),
        },
        closed,
      ),
      { minItems: 1 },
    ),
  },
  closed,
)

const TableSection = Type.Object(
  {
    kind: Type.Literal('table'),
    title: Type.Optional(Text),
    rules: Type.Optional(Type.Enum(['grid', 'rows', 'none'])),
    font: Type.Optional(Font),
    columns: Type.Array(
      Type.Object(
        {
          label: Text,
          width: Type.Number({ exclusiveMinimum: 0, description: 'Weight relative to the other columns.' }),
          align: Type.Optional(Type.Enum(['left', 'right', 'center'])),
        },
        closed,
      ),
      { minItems: 1 },
    ),
    rows: Type.Array(Type.Array(CellSchema), { minItems: 1 }),
    totals: Type.Optional(
      Type.Array(
        Type.Object(
          { label: Text, value: Text, field: Type.Optional(Path), strong: Type.Optional(Type.Boolean()) },
          closed,
        ),
        { minItems: 1 },
      ),
    ),
  },
  closed,
)

const ChecksSection = Type.Object(
  {
    kind: Type.Literal('checks'),
    label: Text,
    choice: Type.Enum(['single', 'multi'], { description: 'How many boxes may be marked.' }),
    labels: Type.Optional(Labels),
    columns: Type.Optional(Type.Integer({ minimum: 1, maximum: 5, description: 'Options in one row.' })),
    mark: Type.Optional(Type.Enum(['cross', 'tick'])),
    field: Type.Optional(Path),
    options: Type.Array(
      Type.Object({ label: Text, checked: Type.Optional(Type.Boolean()), field: Type.Optional(Path) }, closed),
      { minItems: 2 },
    ),
  },
  closed,
)

const NotesSection = Type.Object(
  {
    kind: Type.Literal('notes'),
    title: Type.Optional(Text),
    text: Type.String({ minLength: 1, description: 'A line break starts a new paragraph.' }),
    small: Type.Optional(Type.Boolean()),
    framed: Type.Optional(Type.Boolean()),
    font: Type.Optional(Font),
  },
  closed,
)

/** Labelled values in one to three columns. */
export type FieldsSection = Static<typeof FieldsSection>
/** Rows under column heads, with optional totals. */
export type TableSection = Static<typeof TableSection>
/** A group of check boxes. */
export type ChecksSection = Static<typeof ChecksSection>
/** Running text. */
export type NotesSection = Static<typeof NotesSection>
/** One part of the form; `kind` tells which. */
export type Section = FieldsSection | TableSection | ChecksSection | NotesSection

// oneOf with a discriminator instead of a plain union: the error is about the kind that was meant.
const SectionSchema = Type.Unsafe<Section>({
  type: 'object',
  required: ['kind'],
  discriminator: { propertyName: 'kind' },
  oneOf: [FieldsSection, TableSection, ChecksSection, NotesSection] satisfies TSchema[],
})

const StampSchema = Type.Object(
  {
    lines: Type.Array(CellSchema, { minItems: 1 }),
    x: Type.Number({ description: 'Centre, in page pixels.' }),
    y: Type.Number({ description: 'Centre, in page pixels.' }),
    rotation: Type.Optional(Type.Number({ minimum: -90, maximum: 90, description: 'Degrees, clockwise.' })),
    colour: Type.Optional(Colour),
    opacity: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1 })),
    size: Type.Optional(Type.Number({ minimum: 10, maximum: 90, description: 'Text size in pixels.' })),
    frame: Type.Optional(Type.Enum(['box', 'round', 'none'])),
  },
  closed,
)

const PageSchema = Type.Object(
  {
    width: Type.Integer({ minimum: 300, maximum: 1568, description: 'Pixels.' }),
    height: Type.Integer({ minimum: 200, maximum: 1568, description: 'Pixels.' }),
    tint: Type.Optional(Colour),
    font: Type.Optional(Font),
    valueFont: Type.Optional(Font),
    ink: Type.Optional(Colour),
    pen: Type.Optional(Type.String({ ...Colour, description: 'Colour of filled-in values and marks.' })),
    accent: Type.Optional(Colour),
    density: Type.Optional(Type.Enum(['normal', 'dense'])),
  },
  closed,
)

const DamageSchema = Type.Object(
  {
    rotation: Type.Optional(Type.Number({ minimum: -8, maximum: 8, description: 'Degrees, clockwise.' })),
    skew: Type.Optional(Type.Number({ minimum: -8, maximum: 8, description: 'Degrees the verticals lean.' })),
    contrast: Type.Optional(Type.Number({ minimum: 0.15, maximum: 1, description: '1 keeps the ink, less fades it.' })),
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

/** Shape of a form specification. */
export const FormSpecSchema = Type.Object(
  {
    title: Text,
    subtitle: Type.Optional(Text),
    letterhead: Type.Optional(Type.Object({ name: Text, lines: Type.Optional(Type.Array(Text)) }, closed)),
    page: PageSchema,
    sections: Type.Array(SectionSchema, { minItems: 1 }),
    stamps: Type.Optional(Type.Array(StampSchema)),
    damage: Type.Optional(DamageSchema),
  },
  closed,
)

/** A form to be printed, and how the scan of it is damaged. */
export type FormSpec = Static<typeof FormSpecSchema>
/** Paper, fonts and colours. */
export type Page = Static<typeof PageSchema>
/** A rubber stamp over the printed page. */
export type Stamp = Static<typeof StampSchema>
/** What happened to the page between the printer and the PNG. */
export type Damage = Static<typeof DamageSchema>
