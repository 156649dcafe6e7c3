/**
 * Whether a key belongs to a word that is being composed (Hindi, Japanese), also the one that ends it: Safari says so by the
 * code of the key alone.
 */
export const isComposing = (event: KeyboardEvent): boolean => event.isComposing || event.keyCode === 229
