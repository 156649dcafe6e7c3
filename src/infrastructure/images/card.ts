import sharp, { type OverlayOptions } from 'sharp'
import type { CardContent } from '#application/ports/images.ts'
import { cardSize } from '#domain/images/variant-widths.ts'
import { setUpright } from './orientation.ts'
import type { Tasks } from './protocol.ts'
import { decodeAt, readOriginal, readingOf, type Original } from './reading.ts'

const card = { ...cardSize, quality: 86 } as const
const margin = 56
/** The image hangs in this box, at the left, in its own proportions. */
const imageBox = { width: 640, height: card.height - 2 * margin } as const
const wall = '#f5f1e8'
const ink = '#1d1a16'
const inkSoft = '#575046'
const sold = '#b4271d'
const serif = 'Newsreader,Eczar Italic'
const sans = 'Anek Latin,Eczar'
/** The first size at which the title fits; after the last one words are left out. */
const titleSizes = [88, 76, 66, 58, 50, 44, 38] as const
const titleHeight = 330
const small = 30
const gap = 32
const dotSize = 18

interface Layer {
  readonly input: Buffer
  readonly width: number
  readonly height: number
}

const textLayer = async (text: string, font: string, colour: string, width: number): Promise<Layer> => {
  const markup = `<span font_desc="${font}" foreground="${colour}">${escapeMarkup(text)}</span>`
  const { data, info } = await sharp({
    text: { text: markup, width, dpi: 72, rgba: true, wrap: 'word-char' },
  })
    .png({ compressionLevel: 0 })
    .toBuffer({ resolveWithObject: true })
  return { input: data, width: info.width, height: info.height }
}

const typesetTitle = async (title: string, width: number): Promise<Layer> => {
  const smallest = titleSizes[titleSizes.length - 1]
  for (const size of titleSizes) {
    const layer = await textLayer(title, `${serif} ${size}`, ink, width)
    if (layer.height <= titleHeight && layer.width <= width) return layer
  }
  for (let text = shortened(title); ; text = shortened(text)) {
    const layer = await textLayer(text, `${serif} ${smallest}`, ink, width)
    if (layer.height <= titleHeight || text.length <= 2) return layer
  }
}

/** The dot of a museum label: full for sold, hollow for reserved. */
const dot = (status: CardContent['saleStatus']): Layer | null => {
  if (status !== 'sold' && status !== 'reserved') return null
  const paint = status === 'sold' ? `fill="${sold}"` : `fill="none" stroke="${sold}" stroke-width="3"`
  const radius = status === 'sold' ? dotSize / 2 : dotSize / 2 - 1.5
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${dotSize}" height="${dotSize}"><circle cx="${dotSize / 2}" cy="${dotSize / 2}" r="${radius}" ${paint}/></svg>`
  return { input: Buffer.from(svg), width: dotSize, height: dotSize }
}

const hang = async (original: Original): Promise<Layer> => {
  const scale = Math.min(imageBox.width / original.width, imageBox.height / original.height, 1)
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
export const drawCard = async (content: CardContent): Promise<Tasks['card']['answer']> => {
  const layers: OverlayOptions[] = []
  const place = ({ input }: Layer, left: number, top: number): void => {
    layers.push({ input, left: Math.round(left), top: Math.round(top) })
  }

  const image =
    content.imagePath === null ? null : await hang(await readOriginal(content.imagePath, 'before'))
  if (image !== null) place(image, margin, (card.height - image.height) / 2)
  const left = image === null ? margin * 2 : margin + image.width + margin
  const width = card.width - margin - left

  const artist = drawable(content.artist)
  const title = drawable(content.title)
  const caption = drawable(content.caption)
  const saleDot = dot(content.saleStatus)
  const indent = saleDot === null ? 0 : saleDot.width + 12
  const lines = {
    artist: artist === '' ? null : await textLayer(artist, `${sans} ${small}`, inkSoft, width),
    title: title === '' ? null : await typesetTitle(title, width),
    caption: caption === '' ? null : await textLayer(caption, `${sans} ${small + 4}`, ink, width - indent),
  }
  const present = [lines.artist, lines.title, lines.caption].filter((line) => line !== null)
  const height = present.reduce((sum, line) => sum + line.height, 0) + gap * Math.max(0, present.length - 1)
  let top = (card.height - height) / 2
  for (const line of present) {
    const isCaption = line === lines.caption
    if (isCaption && saleDot !== null)
      place(saleDot, left, top + Math.min(line.height, small + 4) / 2 - saleDot.height / 2)
    place(line, left + (isCaption ? indent : 0), top)
    top += line.height + gap
  }

  const data = await sharp({
    create: { width: card.width, height: card.height, channels: 3, background: wall },
  })
    .composite(layers)
    .jpeg({ quality: card.quality, chromaSubsampling: '4:4:4' })
    .toBuffer()
  return { data }
}

/** Every character that the shipped fonts can draw, as their character maps list them: code points in hex. */
const drawableText =
  `20-7E A0-131 134-148 14A-17E 18F 192 1A0-1A1 1AF-1B0 1E6-1E7 1EA-1EB 1FA-21B 22A-22D 230-233 237 259
  2B9-2BC 2BE-2BF 2C6-2CC 2DA 2DC-2DD 300-301 303-304 308-309 323 900-94D 94F-977 979-97F 1E08-1E09 1E0C-1E0F
  1E14-1E17 1E1C-1E1D 1E20-1E21 1E24-1E25 1E2A-1E2B 1E2E-1E2F 1E36-1E37 1E3A-1E3B 1E42-1E49 1E4C-1E53 1E5A-1E5B
  1E5E-1E69 1E6C-1E6F 1E78-1E7B 1E80-1E85 1E8E-1E8F 1E92-1E93 1E97 1E9E 1EF2-1EF9 2009 200B-200D 2013-2014
  2018-201A 201C-201E 2020 2022 2026 2032-2033 2039-203A 2044 20A6 20AB-20AC 20B9-20BA 2122 2212 2215`
    .split(/\s+/u)
    .map((range) => range.split('-').map((point) => Number.parseInt(point, 16)))

const isDrawable = (character: string): boolean => {
  const point = character.codePointAt(0) ?? 0
  return drawableText.some(([from = 0, to = from]) => point >= from && point <= to)
}

/**
 * A text as the card can letter it: what no shipped font holds (other scripts, emoji) is left out rather than
 * drawn as a box, blanks are collapsed. Empty when nothing remains.
 */
export const drawable = (text: string): string => {
  return Array.from(text.normalize('NFC'), (character) =>
    isDrawable(character) ? character : /\s/u.test(character) ? ' ' : '',
  )
    .join('')
    .replaceAll(/\s+/gu, ' ')
    .trim()
}

/** Text as Pango markup: nothing in it is taken for a tag. */
export const escapeMarkup = (text: string): string => {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** The text without its last word, ended with an ellipsis; without words left, without its last third. */
export const shortened = (text: string): string => {
  const bare = text.replace(/…$/u, '').trimEnd()
  const blank = bare.lastIndexOf(' ')
  const kept =
    blank > 0
      ? bare.slice(0, blank)
      : Array.from(bare)
          .slice(0, -Math.ceil(bare.length / 3))
          .join('')
  return `${kept.replace(/[\s.,;:–—-]+$/u, '')}…`
}
