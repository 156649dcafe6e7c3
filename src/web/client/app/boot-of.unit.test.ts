import { expect, it } from 'vitest'
import { amountIn } from './boot-of.ts'

it('counts elements and characters as a browser reads them', () => {
  expect(amountIn('<p class="a">Ink &amp; gold&nbsp;leaf,\r\n<br/>it&#x27;s<!-- --> वर्षा</p>')).toBe(2 + 22)
})

it('takes what stands in a noscript for text', () => {
  expect(amountIn('<noscript class="a"><a href="/">No &amp; yes</a></noscript>')).toBe(1 + 25)
})
