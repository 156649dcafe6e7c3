/** Which works the Gallery tab shows: what was typed, a state, a category. */
import type { Artwork } from '#web/contract/artworks.ts'
import { GALLERY_WORDS, SALE_STATUS_WORDS } from './gallery-words.ts'

type State = { value: string; label: string; holds: (work: Artwork) => boolean }

/** The states that can be asked for, as options of a picker. */
export const WORK_STATES: readonly State[] = [
  { value: '', label: GALLERY_WORDS.anyState, holds: () => true },
  { value: 'available', label: GALLERY_WORDS.available, holds: (work) => work.isAvailable },
  { value: 'hidden', label: GALLERY_WORDS.hidden, holds: (work) => !work.isAvailable },
  { value: 'unpublished', label: GALLERY_WORDS.notOnWebsite, holds: (work) => !work.isVisible },
  { value: 'featured', label: GALLERY_WORDS.featured, holds: (work) => work.isFeatured },
  { value: 'for_sale', label: SALE_STATUS_WORDS.for_sale, holds: (work) => work.saleStatus === 'for_sale' },
  { value: 'reserved', label: SALE_STATUS_WORDS.reserved, holds: (work) => work.saleStatus === 'reserved' },
  { value: 'sold', label: SALE_STATUS_WORDS.sold, holds: (work) => work.saleStatus === 'sold' },
  {
    value: 'not_for_sale',
    label: SALE_STATUS_WORDS.not_for_sale,
    holds: (work) => work.saleStatus === 'not_for_sale',
  },
]

export type WorkFilter = {
  /** words that must all occur; empty for all */
  text: string
  /** the `value` of one of `WORK_STATES` */
  state: string
  /** an exact category; empty for all */
  category: string
}

export const NO_FILTER: WorkFilter = { text: '', state: '', category: '' }

export function isFiltering(filter: WorkFilter): boolean {
  return filter.text.trim() !== '' || filter.state !== '' || filter.category !== ''
}

/** Case and accents do not matter in a search: "neel" finds "Nèel". Indic vowel signs do. */
const folded = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()

const haystacks = new WeakMap<Artwork, string>()

/** Everything of a work that a search looks into; kept, because a thousand works are searched at every key. */
function haystackOf(work: Artwork): string {
  const known = haystacks.get(work)
  if (known !== undefined) return known
  const { title, medium, category, yearCreated, dimensions, description } = work
  const text = folded([title, medium, category, yearCreated ?? '', dimensions, description].join('\n'))
  haystacks.set(work, text)
  return text
}

/** The works that fit, in the order they came (decisions 5). */
export function worksFitting(works: readonly Artwork[], filter: WorkFilter): readonly Artwork[] {
  if (!isFiltering(filter)) return works
  const words = folded(filter.text).split(/\s+/).filter(Boolean)
  const state = WORK_STATES.find(({ value }) => value === filter.state)
  return works.filter(
    (work) =>
      (filter.category === '' || work.category === filter.category) &&
      (state?.holds(work) ?? true) &&
      words.every((word) => haystackOf(work).includes(word)),
  )
}

/** The categories that occur on works, in the order of their first work. */
export function categoriesOf(works: readonly Artwork[]): readonly string[] {
  return [...new Set(works.map((work) => work.category).filter(Boolean))]
}
