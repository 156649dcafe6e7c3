export const isSeen = (element: Element): boolean => element.checkVisibility()
