/** Less than this is little on the disk of a site (spec L-22). */
export const leastFreeBytes = 500_000_000

export const megabytes = (bytes: number): string => `${Math.floor(bytes / 1_000_000).toLocaleString('en')} MB`
