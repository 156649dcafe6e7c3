/** The gallery's filter when no category is chosen; no category bears either of the words. */
export const allCategories = 'all'
export const allCategoriesLabel = 'All Artwork'

/** The category that is asked for; null where none is. */
export const categoryAsked = (text: string | null | undefined): string | null =>
  text == null || text === '' || text === allCategories ? null : text
