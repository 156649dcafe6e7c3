/**
 * Puts the focus on an artwork's tile: on the one in the list it was opened from, else on any; on the
 * gallery's heading when the artwork has no tile any more.
 */
export function focusTile(list: 'gallery' | 'featured', id: string): void {
  const link = `a[href$="-${CSS.escape(id)}"]`
  const tile =
    document.querySelector<HTMLElement>(`[data-list="${list}"] ${link}`) ??
    document.querySelector<HTMLElement>(`[data-list] ${link}`)
  tile?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
  const place = tile ?? document.getElementById('gallery-heading')
  place?.focus({ preventScroll: true })
}
