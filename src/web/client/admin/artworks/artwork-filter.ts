/** Which artworks the Gallery tab shows: what was typed, a state, a category. */
import type { Artwork } from '#web/contract/artworks.ts'
import { detailsInWords } from '#web/contract/details.ts'
import { searchBy } from '../lib/search.ts'
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

const search = searchBy((artwork: Artwork) => {
  const { title, medium, category, yearCreated, dimensions, description } = artwork
  const details = detailsInWords(artwork).map(({ words }) => words)
  return [title, medium, category, yearCreated ?? '', dimensions, description, ...details].join('\n')
})

/** The artworks that fit, in the order they came. */
export function artworksFitting(artworks: readonly Artwork[], filter: ArtworkFilter): readonly Artwork[] {
  if (!isFiltering(filter)) return artworks
  const state = FILTER_STATES.find(({ value }) => value === filter.state)
  return search(artworks, filter.text).filter(
    (artwork) =>
      (filter.category === '' || artwork.category === filter.category) && (state?.holds(artwork) ?? true),
  )
}

/** The categories that occur on artworks, in the order of their first artwork. */
export function categoriesOf(artworks: readonly Artwork[]): readonly string[] {
  return [...new Set(artworks.map((artwork) => artwork.category).filter(Boolean))]
}
