/** Between a work as the calls know it and the fields of its form, where numbers are what was typed. */
import { OWNER_LIMITS } from '../admin-constants.ts'
import type { Artwork, ArtworkChangeInput, NewArtworkInput, SaleStatus } from '#web/contract/artworks.ts'
import { limits } from '#web/contract/limits.ts'
import { formatCount } from '../../lib/money.ts'
import { altTextOf } from '../../lib/page-data.ts'
import { GALLERY_WORDS } from './artworks-words.ts'

export type ArtworkValues = {
  title: string
  description: string
  imageUrl: string
  /** whole rupees as typed: blanks, commas and ₹ are allowed */
  price: string
  category: string
  medium: string
  dimensions: string
  /** as typed; empty for none */
  yearCreated: string
  isAvailable: boolean
  isFeatured: boolean
  isVisible: boolean
  saleStatus: SaleStatus
  /** her own; empty while the work bears the default */
  altText: string
  /** a manual one; empty while the server makes it */
  qrCodeUrl: string
}

/** What a work without an alt text of its own is called. */
export function defaultAltText(
  values: Pick<ArtworkValues, 'title' | 'medium'> & { yearCreated: number | string | null },
): string {
  return [values.title.trim(), values.medium, values.yearCreated].filter(Boolean).join(', ')
}

/** The form of a saved work. */
export function valuesOf(artwork: Artwork): ArtworkValues {
  const isDefaultAlt = artwork.altText === altTextOf({ ...artwork, altText: '' })
  const isMadeQr = artwork.qrCodeUrl?.startsWith('/qr/') ?? true
  return {
    title: artwork.title,
    description: artwork.description,
    imageUrl: artwork.imageUrl,
    price: String(artwork.price),
    category: artwork.category,
    medium: artwork.medium,
    dimensions: artwork.dimensions,
    yearCreated: artwork.yearCreated === null ? '' : String(artwork.yearCreated),
    isAvailable: artwork.isAvailable,
    isFeatured: artwork.isFeatured,
    isVisible: artwork.isVisible,
    saleStatus: artwork.saleStatus,
    altText: isDefaultAlt ? '' : artwork.altText,
    qrCodeUrl: isMadeQr ? '' : (artwork.qrCodeUrl ?? ''),
  }
}

/** The form of a new work: price 0, this year, available, not featured. */
export function newValues(now: Date): ArtworkValues {
  return {
    title: '',
    description: '',
    imageUrl: '',
    price: String(OWNER_LIMITS.artworkDefaultPrice),
    category: '',
    medium: '',
    dimensions: '',
    yearCreated: String(now.getFullYear()),
    isAvailable: true,
    isFeatured: false,
    isVisible: true,
    saleStatus: 'for_sale',
    altText: '',
    qrCodeUrl: '',
  }
}

/** The form of another work like this one: all but picture, title and sale status. */
export function valuesLike(artwork: Artwork): ArtworkValues {
  return { ...valuesOf(artwork), title: '', imageUrl: '', saleStatus: 'for_sale', altText: '', qrCodeUrl: '' }
}

const DIGITS = /^\d+$/

/** The number in "₹ 1,25,000"; NaN when it is none. Nothing typed is 0. */
function rupeesIn(text: string): number {
  const digits = text.replace(/[₹,\s]/g, '')
  if (digits === '') return 0
  return DIGITS.test(digits) ? Number(digits) : Number.NaN
}

/** The body of a PUT for the fields that have changed. */
export function bodyOf(values: Partial<ArtworkValues>): ArtworkChangeInput {
  const { price, yearCreated, qrCodeUrl, ...others } = values
  return {
    ...others,
    ...(price === undefined ? {} : { price: rupeesIn(price) }),
    ...(yearCreated === undefined ? {} : { yearCreated: yearIn(yearCreated) }),
    ...(qrCodeUrl === undefined ? {} : { qrCodeUrl: qrCodeUrl.trim() === '' ? null : qrCodeUrl }),
  }
}

/** The body of a POST. */
export function newBodyOf(values: ArtworkValues): NewArtworkInput {
  return { ...bodyOf(values), title: values.title, imageUrl: values.imageUrl }
}

const yearIn = (text: string): number | null => (text.trim() === '' ? null : Number(text.trim()))

/**
 * What must be put right before a work is sent, by field: the sentences of the specification, else those of
 * the server for the same mistake. Empty when all is well; everything else is the server's to judge.
 */
export function problemsIn(values: ArtworkValues, now: Date): Readonly<Record<string, string>> {
  const problems: Record<string, string> = {}
  if (values.title.trim() === '') problems['title'] = 'Title is required'
  if (values.imageUrl.trim() === '') problems['imageUrl'] = GALLERY_WORDS.imageMissing
  const price = rupeesIn(values.price)
  if (!(price >= 0 && price <= limits.maxPrice)) {
    problems['price'] = `Price must be a whole number of rupees between 0 and ${formatCount(limits.maxPrice)}`
  }
  const year = values.yearCreated.trim()
  const latest = now.getFullYear() + 1
  if (year !== '' && !(DIGITS.test(year) && Number(year) >= limits.minYear && Number(year) <= latest)) {
    problems['yearCreated'] = `Year must be a whole number between ${limits.minYear} and ${latest}`
  }
  return problems
}

/** A title from a file's name: `ghats_2024-final.jpg` gives `Ghats 2024 final`. */
export function titleFromFile(name: string): string {
  const words = name
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .replace(/[_\-\s]+/g, ' ')
    .trim()
    .slice(0, limits.title)
  return words === '' ? 'Untitled' : words.charAt(0).toUpperCase() + words.slice(1)
}
