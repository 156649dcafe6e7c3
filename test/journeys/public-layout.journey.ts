/// <reference lib="dom" />
import { visit } from '../support/visit.ts'
import { addressOf, expect, test } from './exhibition.ts'

/** Left, top and width of what is found, rounded to whole pixels. */
const places = (elements: Element[]): { top: number; left: number; width: number }[] =>
  elements.map((element) => {
    const { top, left, width } = element.getBoundingClientRect()
    return { top: Math.round(top), left: Math.round(left), width: Math.round(width) }
  })

test('1 the pictures of the journal stand level, each in the corner of its card', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await visit(page, '/')
  const cards = await page.locator('#blogs li').evaluateAll(places)
  const pictures = await page.locator('#blogs li img').evaluateAll(places)
  expect(pictures.map(({ top, left }) => ({ top, left }))).toEqual(
    cards.map(({ top, left }) => ({ top, left })),
  )
  expect(pictures[1]?.top).toBe(pictures[0]?.top)
})

test('1 the lines of her quote are about as long as one another', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await visit(page, '/')
  await page.evaluate(() => document.fonts.ready)
  const lines = await page.locator('blockquote p').evaluate((quote) => {
    const range = document.createRange()
    range.selectNodeContents(quote)
    const widths = new Map<number, number>()
    for (const { bottom, width } of range.getClientRects()) {
      const line = Math.round(bottom)
      widths.set(line, (widths.get(line) ?? 0) + width)
    }
    return [...widths.values()]
  })
  expect(lines).toHaveLength(2)
  expect(Math.min(...lines) / Math.max(...lines)).toBeGreaterThan(0.7)
})

test('3 every cut of the letters is as wide as what stands in for it until it is there', async ({ page }) => {
  await visit(page, '/')
  const { ratios, missing } = await page.evaluate(async () => {
    const text =
      'Every mark is a small promise that the hand keeps to the eye. Colour is the place where brain and world meet.'
    const widthIn = (font: string): number => {
      const line = document.createElement('span')
      line.style.position = 'absolute'
      line.style.whiteSpace = 'nowrap'
      line.style.font = font
      line.textContent = text
      document.body.append(line)
      const { width } = line.getBoundingClientRect()
      line.remove()
      return width
    }
    const cuts = ['300', '400', 'italic 300', 'italic 400']
    const pairs = [
      ...cuts.map((cut) => [`${cut} 32px "Newsreader"`, `${cut} 32px "Newsreader Fallback"`]),
      ['400 17px "Anek Latin"', '400 17px "Anek Fallback"'],
    ]
    // Android's serif, which this machine may lack: then there is nothing to measure it by.
    const noto = cuts.map((cut) => [`${cut} 32px "Newsreader"`, `${cut} 32px "Newsreader Noto Fallback"`])
    const isHere = async (font: string) => (await document.fonts.load(font, text).catch(() => [])).length > 0
    const here = await Promise.all(noto.map(([, stand = '']) => isHere(stand)))
    pairs.push(...noto.filter((_, n) => here[n]))
    await Promise.all(pairs.flat().map((font) => document.fonts.load(font, text)))
    const missing = here.includes(false)
    const ratios = pairs.map(([own = '', stand = '']) => ({ own, ratio: widthIn(stand) / widthIn(own) }))
    return { ratios, missing }
  })
  if (missing) console.log('Noto Serif is not on this machine: what stands in for it was not measured')
  for (const { own, ratio } of ratios) {
    expect(ratio, own).toBeGreaterThan(0.98)
    expect(ratio, own).toBeLessThan(1.02)
  }
})

test('4 a work is printed alone, not over every page of the homepage', async ({ page, data }) => {
  await visit(page, addressOf(data, 0))
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('heading', { level: 1, name: 'Monsoon' })).toBeVisible()
  await expect(page.locator('main')).toBeHidden()
  await expect(page.locator('[data-overlay]')).toHaveCSS('position', 'static')
})
