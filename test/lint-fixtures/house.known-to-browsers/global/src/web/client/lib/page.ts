export const later = (work: () => void): number => requestIdleCallback(work)
