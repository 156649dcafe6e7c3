/**
 * Whether the Escape key belongs to what has the focus (`data-keeps-escape`, e.g. the editor, which uses it to
 * let the Tab key out) and must not close the dialog around it.
 */
export function keepsEscape(event: KeyboardEvent): boolean {
  return event.target instanceof Element && event.target.closest('[data-keeps-escape]') !== null
}
