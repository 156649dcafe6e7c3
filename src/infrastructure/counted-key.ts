import { createHash } from 'node:crypto'

/**
 * Under what the key of a counter is kept: keys hold addresses and names of people, which nobody has to read on a server,
 * and are as long as strangers make them.
 */
export const countedKey = (key: string): string => createHash('sha256').update(key).digest('base64url')
