/** A face of the machine that is drawn until a font of the site has come. */
type Face = {
  readonly family: string
  /** its names on the machines that have it */
  readonly local: readonly string[]
  readonly style?: 'italic'
  readonly weight?: string
  /** in percent: as wide as the site's own cut is then */
  readonly width: number
}

/** Above and below the line, in percent of the size. */
type Metrics = {
  readonly ascent: number
  readonly descent: number
}

const NEWSREADER: Metrics = { ascent: 73.5, descent: 26.5 }
const ANEK: Metrics = { ascent: 90, descent: 20 }

/** Each cut has its own width, and the italics are narrow; at poster size the optical axis makes Newsreader wider. */
function newsreader(
  machine: string,
  [upright, italic]: readonly [readonly string[], readonly string[]],
  [light, text, lightItalic, textItalic, poster]: readonly [number, number, number, number, number],
): readonly Face[] {
  const family = `Newsreader ${machine}Fallback`
  return [
    { family, local: upright, weight: '300', width: light },
    { family, local: upright, weight: '400 500', width: text },
    { family, local: italic, style: 'italic', weight: '300', width: lightItalic },
    { family, local: italic, style: 'italic', weight: '400 500', width: textItalic },
    { family: `Newsreader Poster ${machine}Fallback`, local: upright, width: poster },
  ]
}

function anek(
  machine: string,
  local: readonly string[],
  [text, bold]: readonly [number, number],
): readonly Face[] {
  const family = `Anek ${machine}Fallback`
  return [
    { family, local, weight: '400', width: text },
    { family, local, weight: '500 700', width: bold },
  ]
}

const TIMES = ['Times New Roman', 'Liberation Serif', 'Tinos-Regular']
const TIMES_ITALIC = ['Times New Roman Italic', 'Liberation Serif Italic', 'Tinos Italic']
const NOTO = ['Noto Serif', 'NotoSerif-Regular', 'NotoSerif']
const NOTO_ITALIC = ['Noto Serif Italic', 'NotoSerif-Italic']
const DEJAVU_ITALIC = ['DejaVu Serif Italic', 'DejaVu Serif']

const serifs = [
  newsreader('', [TIMES, TIMES_ITALIC], [103.5, 99.7, 93.6, 93, 105]),
  newsreader('Noto ', [NOTO, NOTO_ITALIC], [88.3, 85.2, 82, 81.4, 88.6]),
  newsreader('DejaVu ', [['DejaVu Serif'], DEJAVU_ITALIC], [82, 79.1, 74.4, 73.8, 82.2]),
]
const sanses = [
  anek('', ['Arial', 'Liberation Sans', 'Arimo-Regular'], [93.5, 94.3]),
  anek('Roboto ', ['Roboto', 'Roboto-Regular'], [94.2, 95.2]),
  anek('Noto ', ['Noto Sans', 'NotoSans-Regular'], [88.3, 89.3]),
  anek('DejaVu ', ['DejaVu Sans'], [81.6, 82.4]),
]

function rule({ ascent, descent }: Metrics, { family, local, style, weight, width }: Face): string {
  // The browser scales these by the width as well.
  const scaled = (percent: number): string => `${((percent * 100) / width).toFixed(1)}%`
  const descriptors = [
    `font-family:"${family}"`,
    `src:${local.map((name) => `local("${name}")`).join()}`,
    style && `font-style:${style}`,
    weight && `font-weight:${weight}`,
    `size-adjust:${width}%`,
    `ascent-override:${scaled(ascent)}`,
    `descent-override:${scaled(descent)}`,
    'line-gap-override:0%',
  ]
  return `@font-face{${descriptors.filter(Boolean).join(';')}}`
}

/**
 * The faces that stand in for the site's fonts while those load, as wide and as high: nothing shifts when they come.
 * Windows, Apple's systems and most of Linux have faces as wide as Times and Arial; Android and some of Linux Noto and
 * Roboto; a bare Linux DejaVu, often without an italic. DejaVu comes first in `tokens.css`: on Linux a browser asks another
 * process for each name, half a millisecond each, before the first view is laid out; elsewhere names cost little.
 * Where none of them is, the fonts that have not come in time stay away (`inline/fonts.ts`).
 */
export function fallbackFonts(): string {
  const newsreaders = serifs.flat().map((face) => rule(NEWSREADER, face))
  const aneks = sanses.flat().map((face) => rule(ANEK, face))
  return [...newsreaders, ...aneks].join('\n')
}
