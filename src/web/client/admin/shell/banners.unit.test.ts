import { expect, test } from 'vitest'
import { samplesListed } from './banners.tsx'

const none = { go: 0, stay: 0 }
const counts = {
  artworks: { go: 12, stay: 1 },
  posts: none,
  texts: { go: 1, stay: 0, untouched: ['artistName'] },
  categories: { go: 1, stay: 0 },
  mediums: { go: 2, stay: 0 },
}

test('what goes is told in counts, what stays too', () => {
  expect(samplesListed(counts, 'go')).toBe('12 works, 1 text, 1 category and 2 mediums')
  expect(samplesListed(counts, 'stay')).toBe('1 work')
  expect(samplesListed({ ...counts, artworks: none }, 'stay')).toBe('')
})
