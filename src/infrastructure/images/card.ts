import sharp, { type OverlayOptions } from 'sharp'
import type { CardContent } from '#application/images/ports/images.ts'
import { drawable, escapeMarkup, shortened } from './card-text.ts'
import { setUpright } from './orientation.ts'
import type { Tasks } from './protocol.ts'
import { decodeAt, readOriginal, readingOf, type Original } from './reading.ts'

const CARD = { width: 1200, height: 630, quality: 86 } as const
const MARGIN = 56
/** The image hangs in this box, at the left, in its own proportions. */
const IMAGE = { width: 640, height: CARD.height - 2 * MARGIN } as const
const WALL = '#f5f1e8'
const INK = '#1d1a16'
const INK_SOFT = '#575046'
const SOLD = '#b4271d'
const SERIF = 'Newsreader,Eczar Italic'
const SANS = 'Anek Latin,Eczar'
/** The first size at which the title fits; after the last one words are left out. */
const TITLE_SIZES = [88, 76, 66, 58, 50, 44, 38] as const
const TITLE_HEIGHT = 330
const SMALL = 30
const GAP = 32
const DOT = 18

interface Layer {
  readonly input: Buffer
  readonly width: number
  readonly height: number
}

async function textLayer(text: string, font: string, colour: string, width: number): Promise<Layer> {
  const markup = `<span font_desc="${font}" foreground="${colour}">${escapeMarkup(text)}</span>`
  const { data, info } = await sharp({
    text: { text: markup, width, dpi: 72, rgba: true, wrap: 'word-char' },
  })
    .png({ compressionLevel: 0 })
    .toBuffer({ resolveWithObject: true })
  return { input: data, width: info.width, height: info.height }
}

async function typesetTitle(title: string, width: number): Promise<Layer> {
  const smallest = TITLE_SIZES[TITLE_SIZES.length - 1]
  for (const size of TITLE_SIZES) {
    const layer = await textLayer(title, `${SERIF} ${size}`, INK, width)
    if (layer.height <= TITLE_HEIGHT && layer.width <= width) return layer
  }
  for (let text = shortened(title); ; text = shortened(text)) {
    const layer = await textLayer(text, `${SERIF} ${smallest}`, INK, width)
    if (layer.height <= TITLE_HEIGHT || text.length <= 2) return layer
  }
}

/** The dot of a museum label: full for sold, hollow for reserved. */
function dot(status: CardContent['saleStatus']): Layer | null {
  if (status !== 'sold' && status !== 'reserved') return null
  const paint = status === 'sold' ? `fill="${SOLD}"` : `fill="none" stroke="${SOLD}" stroke-width="3"`
  const radius = status === 'sold' ? DOT / 2 : DOT / 2 - 1.5
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${DOT}" height="${DOT}"><circle cx="${DOT / 2}" cy="${DOT / 2}" r="${radius}" ${paint}/></svg>`
  return { input: Buffer.from(svg), width: DOT, height: DOT }
}

async function hang(original: Original): Promise<Layer> {
  const scale = Math.min(IMAGE.width / original.width, IMAGE.height / original.height, 1)
  const width = Math.max(1, Math.round(original.width * scale))
  const lying = await readingOf(() =>
    decodeAt(original, width, { quick: true })
      .png({ compressionLevel: 0 })
      .toBuffer({ resolveWithObject: true }),
  )
  const upright = await setUpright(sharp(lying.data), original.orientation)
    .png({ compressionLevel: 0 })
    .toBuffer({ resolveWithObject: true })
  return { input: upright.data, width: upright.info.width, height: upright.info.height }
}

/**
 * The card that a shared link shows: the image at the left, artist, title and price beside it, like a museum
 * label. Lettered with the shipped fonts only.
 * @throws {ImageRefused} when the image cannot be read
 */
export async function drawCard(content: CardContent): Promise<Tasks['card']['answer']> {
  const layers: OverlayOptions[] = []
  const place = ({ input }: Layer, left: number, top: number): void => {
    layers.push({ input, left: Math.round(left), top: Math.round(top) })
  }

  const image =
    content.imagePath === null ? null : await hang(await readOriginal(content.imagePath, 'before'))
  if (image !== null) place(image, MARGIN, (CARD.height - image.height) / 2)
  const left = image === null ? MARGIN * 2 : MARGIN + image.width + MARGIN
  const width = CARD.width - MARGIN - left

  const artist = drawable(content.artist)
  const title = drawable(content.title)
  const caption = drawable(content.caption)
  const mark = dot(content.saleStatus)
  const indent = mark === null ? 0 : mark.width + 12
  const lines = {
    artist: artist === '' ? null : await textLayer(artist, `${SANS} ${SMALL}`, INK_SOFT, width),
    title: title === '' ? null : await typesetTitle(title, width),
    caption: caption === '' ? null : await textLayer(caption, `${SANS} ${SMALL + 4}`, INK, width - indent),
  }
  const present = [lines.artist, lines.title, lines.caption].filter((line) => line !== null)
  const height = present.reduce((sum, line) => sum + line.height, 0) + GAP * Math.max(0, present.length - 1)
  let top = (CARD.height - height) / 2
  for (const line of present) {
    const isCaption = line === lines.caption
    if (isCaption && mark !== null)
      place(mark, left, top + Math.min(line.height, SMALL + 4) / 2 - mark.height / 2)
    place(line, left + (isCaption ? indent : 0), top)
    top += line.height + GAP
  }

  const { data, info } = await sharp({
    create: { width: CARD.width, height: CARD.height, channels: 3, background: WALL },
  })
    .composite(layers)
    .jpeg({ quality: CARD.quality, chromaSubsampling: '4:4:4' })
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, data }
}
