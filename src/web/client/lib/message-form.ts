/** The page's form for a message to the artist; null where the page has none. */
export const messageForm = (): HTMLFormElement | null => document.querySelector('form[action^="/contact"]')
