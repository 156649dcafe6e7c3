import { derivedId } from '../kernel/ids.ts'

/** A post's id, from its stable key: that in the blog's feed, or a sample's. */
export const postId = (externalId: string): string => derivedId('post', externalId)

/** Keys of sample posts begin so. */
const samples = 'sample:'

/** The stable key of a sample post. */
export const sampleKey = (name: string): string => samples + name

/** The stable key of a post of the blog. One that looks like a sample's, which no blog has by itself, is another's. */
export const blogKey = (key: string): string => (key.startsWith(samples) ? derivedId('post key', key) : key)
