/** Which artworks the Gallery tab shows: what was typed, a state, a category. */
import type { Artwork } from '#web/contract/artworks.ts'
import { ARTWORK_WORDS, SALE_STATUS_OPTIONS, cardStateOf } from './artworks-words.ts'

type State = { value: string; label: string; holds: (artwork: Artwork) => boolean }

/** The states that can be asked for, as options of a picker. */
export const FILTER_STATES: readonly State[] = [
  { value: '', label: 'All states', holds: () => true },
  {
    value: 'available',
    label: ARTWORK_WORDS.available,
    holds: (artwork) => cardStateOf(artwork) === 'available',
  },
  { value: 'hidden', label: ARTWORK_WORDS.hidden, holds: (artwork) => !artwork.isAvailable },
  { value: 'unpublished', label: ARTWORK_WORDS.notOnWebsite, holds: (artwork) => !artwork.isVisible },
  { value: 'featured', label: ARTWORK_WORDS.featured, holds: (artwork) => artwork.isFeatured },
  ...SALE_STATUS_OPTIONS.map((option) => ({
    ...option,
    holds: (artwork: Artwork) => artwork.saleStatus === option.value,
  })),
]

export type ArtworkFilter = {
  /** words that must all occur; empty for all */
  text: string
  /** the `value` of one of `FILTER_STATES` */
  state: string
  /** an exact category; empty for all */
  category: string
}

export const NO_FILTER: ArtworkFilter = { text: '', state: '', category: '' }

export function isFiltering(filter: ArtworkFilter): boolean {
  return filter.text.trim() !== '' || filter.state !== '' || filter.category !== ''
}

/** Case and accents do not matter in a search: "neel" finds "Nèel". Indic vowel signs do. */
const folded = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()

const haystacks = new WeakMap<Artwork, string>()

/** Everything of an artwork that a search looks into; kept, because a thousand artworks are searched at every key. */
function haystackOf(artwork: Artwork): string {
  const known = haystacks.get(artwork)
  if (known !== undefined) return known
  const { title, medium, category, yearCreated, dimensions, description } = artwork
  const text = folded([title, medium, category, yearCreated ?? '', dimensions, description].join('\n'))
  haystacks.set(artwork, text)
  return text
}

/** The artworks that fit, in the order they came. */
export function artworksFitting(artworks: readonly Artwork[], filter: ArtworkFilter): readonly Artwork[] {
  if (!isFiltering(filter)) return artworks
  const words = folded(filter.text).split(/\s+/).filter(Boolean)
  const state = FILTER_STATES.find(({ value }) => value === filter.state)
  return artworks.filter(
    (artwork) =>
      (filter.category === '' || artwork.category === filter.category) &&
      (state?.holds(artwork) ?? true) &&
      words.every((word) => haystackOf(artwork).includes(word)),
  )
}

/** The categories that occur on artworks, in the order of their first artwork. */
export function categoriesOf(artworks: readonly Artwork[]): readonly string[] {
  return [...new Set(artworks.map((artwork) => artwork.category).filter(Boolean))]
}
