import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Artwork } from '#web/contract/artworks.ts'
import { inventory } from './inventory.ts'

/** The table's row for an artwork with this title, as it is written; the other columns are empty. */
const rowOf = (title: string): string => {
  // Only what the table shows.
  const artwork = { title, yearCreated: null, price: 0 } as unknown as Artwork
  const table = inventory([artwork])
  return table.slice(table.indexOf('\r\n') + 2)
}

const openers = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '﹦', '﹢', '﹣', '﹫']

it.each([
  ['unsaid', ''],
  ['framed_glass', 'Framed under glass'],
] as const)('tells the framing %s as “%s”', (framing, words) => {
  // Only what the table shows.
  const artwork = { title: 'Haldi', yearCreated: 2024, price: 0, framing } as unknown as Artwork
  const [names, row] = inventory([artwork]).split('\r\n')
  expect(row?.split(',')[names?.split(',').indexOf('Framing') ?? -1]).toBe(words)
})

describe('a cell of the inventory', () => {
  it.each(openers)('that begins with %s is text', (opener) => {
    expect(rowOf(`${opener}1+1`)).toMatch(new RegExp(`^'\\${opener}1`))
    expect(rowOf(` ${opener}1`)).toContain(` '${opener}1`)
  })

  it.each([',', ';', '|', '\t', '\r', '\n', '"'])('begins no formula behind %j either', (separator) => {
    for (const opener of openers) {
      expect(rowOf(`Haldi${separator}${opener}HYPERLINK()`)).toContain(`'${opener}HYPERLINK`)
    }
  })

  it.each(['\ufeff', '\v', "'"])('is not kept busy by many unseen %j', (unseen) => {
    const title = `a,${unseen.repeat(10_000)}b`
    expect(rowOf(title)).toContain(title)
  })

  it.each(['\u200b', '\u0085', '\u001f', '\ufeff'])('begins no formula behind an unseen %j', (unseen) => {
    expect(rowOf(`${unseen}=1`)).toContain(`'=1`)
  })

  it.each(['\t', '\r', '\n', '\0'])('that begins with %j is text', (control) => {
    expect(rowOf(`${control}cmd`)).toMatch(/^"?'/)
  })

  it.each(['Haldi', 'Blue-green', 'a = b', '10 + 2', '60 × 90 cm', 'asha@example.org', 'Sūrya – dawn'])(
    'with nothing of that kind stays as it is: %s',
    (title) => expect(rowOf(title)).toMatch(new RegExp(`^${title.replace('+', '\\+')},`)),
  )

  it('opens no formula wherever a spreadsheet cuts it', () => {
    const text = fc.string({
      unit: fc.constantFrom(...openers, ...',;|\t\r\n"\' a'.split('')),
      maxLength: 30,
    })
    fc.assert(
      fc.property(text, (title) => {
        const cells = rowOf(title).split(/[,;|\t\r\n"]/)
        expect(cells.filter((cell) => /^\s*[=+\-@＝＋－＠]/.test(cell))).toEqual([])
      }),
      { seed: 22, numRuns: 2_000 },
    )
  })

  it('takes no longer for a text of nothing but separators', () => {
    const started = performance.now()
    for (const character of ['\t', ' ', "'", ',', '\0']) rowOf(character.repeat(200_000))
    // Generous: quadratic work would take minutes.
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})
