import { expect, test } from 'vitest'
import { paragraphs } from './paragraphs.ts'

test('line breaks part paragraphs, and nothing empty is left', () => {
  expect(paragraphs(' One.\n\n Two.\r\nThree. \n')).toEqual(['One.', 'Two.', 'Three.'])
  expect(paragraphs('')).toEqual([])
})
