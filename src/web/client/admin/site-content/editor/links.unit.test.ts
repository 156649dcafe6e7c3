import { expect, test } from 'vitest'
import { isAllowedLink, linkFrom } from './link-row.tsx'

test.each([
  ['https://a.example/b', 'https://a.example/b'],
  ['HTTP://a.example', 'HTTP://a.example'],
  ['mailto:ravi@example.org', 'mailto:ravi@example.org'],
  ['ravi@example.org', 'mailto:ravi@example.org'],
  ['+91 98200 12345', 'tel:+919820012345'],
  ['tel:+919820012345', 'tel:+919820012345'],
  ['example.org/works?a=1', 'https://example.org/works?a=1'],
  ['example.org:8080/a', 'https://example.org:8080/a'],
])('%j leads to %j', (typed, address) => {
  expect(linkFrom(typed)).toBe(address)
})

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,x',
  'ftp://a.example',
  'a word',
  '',
  '//a.example',
])('%j is refused', (typed) => {
  expect(linkFrom(typed)).toBeNull()
  expect(isAllowedLink(typed)).toBe(false)
})
