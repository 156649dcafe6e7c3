/** A click that means "here", not "in a new tab" or "save". */
export const isPlainClick = (
  event: Pick<MouseEvent, 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>,
): boolean => !(event.altKey || event.ctrlKey || event.metaKey || event.shiftKey)
