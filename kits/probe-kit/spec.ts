import Type, { type Static, type TSchema } from 'typebox'
import { closed, DamageSchema, Font, PageSchema, Path, StampSchema, Text } from './page-spec.ts'

const Labels = Type.Enum(['left', 'above'], { description: 'Where a label stands relative to its value.' })
const Columns = Type.Integer({ minimum: 1, maximum: 3, description: 'Columns side by side.' })

const Struck = Type.String({
  minLength: 1,
  description: 'Crossed out, and corrected by hand with what stands beside it; cancelled where that is empty.',
})

const WrittenCell = Type.Object(
  {
    text: Type.String(),
    struck: Type.Optional(Struck),
    span: Type.Optional(Type.Integer({ minimum: 2, description: 'Columns that the cell runs across, centred.' })),
    field: Type.Optional(Path),
  },
  closed,
)

/** What stands in a table, empty for a blank: a plain string, or with the fixture value that it answers. */
export type Cell = string | Static<typeof WrittenCell>

// One schema for both shapes, not a union: a mistake inside the object is then told by its own name.
const CellSchema = Type.Unsafe<Cell>({ ...WrittenCell, type: ['string', 'object'] })

const FieldsSection = Type.Object(
  {
    kind: Type.Literal('fields'),
    title: Type.Optional(Text),
    style: Type.Enum(['boxed', 'line', 'plain', 'leader', 'comb'], {
      description: 'leader has dots up to the value, as on a menu; comb has a box for each character.',
    }),
    columns: Type.Optional(Columns),
    labels: Type.Optional(Labels),
    labelShare: Type.Optional(
      Type.Number({ minimum: 0.15, maximum: 0.8, description: 'Share of the column that a label at the left takes.' }),
    ),
    font: Type.Optional(Font),
    portrait: Type.Optional(
      Type.Enum(['left', 'right'], { description: 'Side of the fields at which a picture of nobody stands.' }),
    ),
    fields: Type.Array(
      Type.Object(
        {
          label: Text,
          value: Type.String({ description: 'Empty for a blank that nobody filled in.' }),
          struck: Type.Optional(Struck),
          field: Type.Optional(Path),
          span: Type.Optional(Columns),
          boxes: Type.Optional(
            Type.Integer({ minimum: 1, maximum: 40, description: 'Of a comb, where it has more than characters.' }),
          ),
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
    heads: Type.Optional(
      Type.Array(Type.Object({ label: Type.String(), span: Type.Integer({ minimum: 1 }) }, closed), {
        minItems: 1,
        description: 'A row of heads above those of the columns, each across some of them.',
      }),
    ),
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
      Type.Object(
        {
          label: Text,
          checked: Type.Optional(Type.Boolean()),
          struck: Type.Optional(
            Type.Boolean({ description: 'Label and mark are crossed out: the mark does not count.' }),
          ),
          field: Type.Optional(Path),
        },
        closed,
      ),
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
/** A section that holds no other. */
export type PlainSection = FieldsSection | TableSection | ChecksSection | NotesSection

// oneOf with a discriminator instead of a plain union: the error is about the kind that was meant.
function oneOfKinds<T>(...oneOf: TSchema[]): Type.TUnsafe<T> {
  return Type.Unsafe<T>({ type: 'object', required: ['kind'], discriminator: { propertyName: 'kind' }, oneOf })
}

const plainKinds = [FieldsSection, TableSection, ChecksSection, NotesSection]

const BesideSection = Type.Object(
  {
    kind: Type.Literal('beside'),
    widths: Type.Optional(
      Type.Array(Type.Number({ exclusiveMinimum: 0 }), {
        description: 'Weights of the sections; the same by default.',
      }),
    ),
    sections: Type.Array(oneOfKinds<PlainSection>(...plainKinds), { minItems: 2, maxItems: 3 }),
  },
  closed,
)

/** Sections side by side. */
export type BesideSection = Static<typeof BesideSection>
/** One part of the form; `kind` tells which. */
export type Section = PlainSection | BesideSection

const SectionSchema = oneOfKinds<Section>(...plainKinds, BesideSection)

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
