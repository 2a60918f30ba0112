import { createRequire } from 'node:module'
import { advanceReader, type AdvanceReader } from './font-metrics.ts'
import type { FontName } from './page-spec.ts'

interface Cut {
  readonly file: string
  readonly weight: number
  readonly advance: AdvanceReader
}

interface Font {
  readonly family: string
  /** Brings fonts to one apparent size: handwriting has small letters for its nominal size. */
  readonly scale: number
  readonly regular: Cut
  readonly bold: Cut
}

const resolve = createRequire(import.meta.url).resolve

function cut(path: string, weight: number): Cut {
  const file = resolve(`@expo-google-fonts/${path}.ttf`)
  return { file, weight, advance: advanceReader(file) }
}

// Fonts come from packages, never from the machine, so that a form has the same pixels everywhere.
const FONTS: Readonly<Record<FontName, Font>> = {
  sans: {
    family: 'Inter',
    scale: 1,
    regular: cut('inter/400Regular/Inter_400Regular', 400),
    bold: cut('inter/700Bold/Inter_700Bold', 700),
  },
  serif: {
    family: 'Lora',
    scale: 1.05,
    regular: cut('lora/400Regular/Lora_400Regular', 400),
    bold: cut('lora/700Bold/Lora_700Bold', 700),
  },
  mono: {
    family: 'IBM Plex Mono',
    scale: 0.97,
    regular: cut('ibm-plex-mono/400Regular/IBMPlexMono_400Regular', 400),
    bold: cut('ibm-plex-mono/700Bold/IBMPlexMono_700Bold', 700),
  },
  hand: {
    family: 'Caveat',
    scale: 1.4,
    regular: cut('caveat/500Medium/Caveat_500Medium', 500),
    bold: cut('caveat/700Bold/Caveat_700Bold', 700),
  },
}

/** Every font file the renderer may need. */
export const FONT_FILES: readonly string[] = Object.values(FONTS).flatMap((font) => [font.regular.file, font.bold.file])

/** How a piece of text is set. `size` is the apparent size: fonts are scaled to look alike. */
export interface TextStyle {
  readonly font: FontName
  readonly size: number
  readonly bold?: boolean
  readonly fill: string
}

/** Family, weight and nominal size as SVG wants them. */
export function fontAttributes(style: TextStyle): { family: string; weight: number; size: number } {
  const font = FONTS[style.font]
  return { family: font.family, weight: (style.bold ? font.bold : font.regular).weight, size: style.size * font.scale }
}

/** Width of one line in pixels, or the first character that the font cannot draw. */
export function measure(text: string, style: TextStyle): { width: number } | { missing: string } {
  const font = FONTS[style.font]
  const { advance } = style.bold ? font.bold : font.regular
  let ems = 0
  for (const character of text) {
    const step = advance(character.codePointAt(0) ?? 0)
    if (step === null) return { missing: character }
    ems += step
  }
  return { width: ems * style.size * font.scale }
}
