import { afterEach, describe, expect, it, vi } from 'vitest'
import { valueFields } from '#domain/artworks/fields.ts'
import { isOwnImage } from '#domain/images/image-address.ts'
import { isWebAddress, line, lines, required } from '#domain/field-rules.ts'
import { body, optionalText, requiredText, sortOrder, whole, wholeOrNull } from './field-schemas.ts'
import { refusal } from './testing/refusal.ts'

const price = () => whole(valueFields.price.rule)
const yearOrNull = () => wholeOrNull(valueFields.yearCreated.rule)

describe('text', () => {
  it('is trimmed, and what only looks like text is missing', () => {
    expect(requiredText(required(line('Title', 200))).parse('  A\t title ')).toBe('A title')
    expect(refusal(requiredText(required(line('Title', 200))), ' \n ').message).toBe('Title is required')
  })

  it.each(['\u200b', '\u200d\u2060 \ufeff', '\u3164\u00ad'])(
    '%j shows nothing, so it is missing',
    (value) => {
      expect(refusal(requiredText(required(line('Title', 200))), value).message).toBe('Title is required')
      expect(optionalText(line('Medium', 50)).parse(value)).toBe('')
    },
  )

  it.each(['क्\u200dष', '👩\u200d🎨', '.'])('%j keeps what is invisible in it', (value) => {
    expect(requiredText(required(line('Title', 200))).parse(value)).toBe(value)
  })

  it.each([undefined, null])('%s is missing, not of the wrong kind', (value) => {
    expect(refusal(requiredText(required(line('Title', 200))), value).message).toBe('Title is required')
  })

  it.each([[1], [true], [['a']], [{}]])('%j is not text', (value) => {
    expect(refusal(requiredText(required(line('Title', 200))), value).message).toBe('Title must be text')
  })

  it('is measured after trimming, with the limit in the message', () => {
    expect(requiredText(required(line('Title', 200))).parse(` ${'ü'.repeat(200)} `)).toHaveLength(200)
    expect(refusal(requiredText(required(line('Title', 200))), 'ü'.repeat(201)).message).toBe(
      'Title must be at most 200 characters',
    )
  })

  it.each([
    ['as it was sent', 'x'.repeat(100_000)],
    ['without the blanks around it', 'x'.repeat(201)],
  ])('that is too long %s is looked at no further', (_, value) => {
    const looked = vi.fn<() => boolean>(() => true)
    expect(refusal(requiredText(required(line('Title', 200))).refine(looked), value).message).toBe(
      'Title must be at most 200 characters',
    )
    expect(refusal(optionalText(line('Medium', 200)).refine(looked), value).message).toBe(
      'Medium must be at most 200 characters',
    )
    expect(looked).not.toHaveBeenCalled()
  })

  it('may have every line break as two characters, as forms send them', () => {
    const text = 'a\n'.repeat(2_500).trim()
    expect(optionalText(lines('Description', 5_000)).parse(text.replaceAll('\n', '\r\n'))).toBe(text)
  })

  it('keeps its lines where it has lines, in one kind of line break', () => {
    expect(optionalText(lines('Description', 50)).parse('a\r\nb\rc\n\n d ')).toBe('a\nb\nc\n\n d')
    expect(optionalText(line('Medium', 50)).parse('oil\r\n on   canvas')).toBe('oil on canvas')
  })

  it('loses what no screen can show and no store can hold', () => {
    expect(optionalText(lines('Description', 50)).parse('a\u0000b\u0007\tc\ud800\uffff\ufffe')).toBe(
      'ab\tc\ufffd',
    )
  })

  it('that is optional takes null for empty', () => {
    expect(optionalText(line('Medium', 50)).parse(null)).toBe('')
    expect(refusal(optionalText(line('Medium', 50)), undefined).message).toBe('Medium must be text')
  })
})

describe('numbers', () => {
  const priceSentence = 'Price must be a whole number of rupees between 0 and 10,00,00,000'

  it.each([
    [0, 0],
    [10_00_00_000, 10_00_00_000],
    ['25000', 25_000],
    [' 25000.00 ', 25_000],
    ['+5', 5],
  ])('price takes %j', (value, expected) => {
    expect(price().parse(value)).toBe(expected)
  })

  it.each([
    Number.NaN,
    Number.POSITIVE_INFINITY,
    -1,
    10_00_00_001,
    0.5,
    1e300,
    'abc',
    '',
    ' ',
    '0x10',
    '1e3',
    'NaN',
    '1,25,000',
    '12.5',
    null,
    true,
    [5],
    {},
  ])('price refuses %j in plain words', (value) => {
    expect(refusal(price(), value).message).toBe(priceSentence)
  })

  it('sort order may be negative, and text that is no number is refused', () => {
    expect(sortOrder().parse('-3')).toBe(-3)
    expect(refusal(sortOrder(), 'abc').message).toBe('Sort order must be a whole number')
  })
})

describe('year', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  const atNewYear = (): void => {
    vi.useFakeTimers({ now: new Date('2031-06-01T00:00:00Z'), toFake: ['Date'] })
  }

  it.each([
    [1000, 1000],
    ['1999', 1999],
    [2032, 2032],
    [null, null],
    ['', null],
    ['  ', null],
  ])('takes %j', (value, expected) => {
    atNewYear()
    expect(yearOrNull().parse(value)).toBe(expected)
  })

  it.each([999, 2033, 2020.5, 'abc', Number.NaN, true])('refuses %j and says up to when', (value) => {
    atNewYear()
    expect(refusal(yearOrNull(), value).message).toBe('Year must be a whole number between 1000 and 2032')
  })

  it('follows the clock, not the moment at which the program started', () => {
    const schema = yearOrNull()
    atNewYear()
    expect(schema.parse(2032)).toBe(2032)
    vi.setSystemTime(new Date('2032-01-01T00:00:00Z'))
    expect(schema.parse(2033)).toBe(2033)
  })
})

describe('addresses', () => {
  const hash = 'a1'.repeat(32)

  it.each([
    [`/images/${hash}/original-view.jpg`, true],
    [`/images/${hash.toUpperCase()}/original-view.jpg`, false],
    [`/images/${hash.slice(1)}/original-view.jpg`, false],
    [`/images/${hash}/640.jpg`, false],
    [`/images/${hash}/original-view.jpg?x`, false],
    [`//evil.example/images/${hash}/original-view.jpg`, false],
    [`/images/../${hash}/original-view.jpg`, false],
  ])('%s is one of our own pictures: %s', (address, expected) => {
    expect(isOwnImage(address)).toBe(expected)
  })

  it.each([
    ['https://a.example/b.jpg?c=d#e', true],
    ['HTTP://a.example', true],
    ['http://127.0.0.1/x', true],
    ['ftp://a.example/b', false],
    ['javascript:alert(1)', false],
    ['data:image/png;base64,AA', false],
    ['//a.example/b.jpg', false],
    ['/b.jpg', false],
    ['https://', false],
    ['https://a b/c', false],
    ['https://a.example/"onerror=', false],
    ['https://me:secret@a.example/', false],
    ['https:\\\\a.example', false],
  ])('%s is a web address: %s', (address, expected) => {
    expect(isWebAddress(address)).toBe(expected)
  })
})

describe('body', () => {
  const schema = body({ title: requiredText(required(line('Title', 5))) })

  it.each([null, [], 'text', 5, undefined])('%j is not a body', (value) => {
    expect(refusal(schema, value)).toEqual({ message: 'Send a JSON object with the fields of this call' })
  })

  it('refuses unknown keys by name, __proto__ too', () => {
    const value: unknown = JSON.parse('{"title":"a","__proto__":{"x":1},"colour":1}')
    expect(refusal(schema, value).fields).toEqual(
      Object.fromEntries([
        ['__proto__', '"__proto__" is not a field of this call'],
        ['colour', '"colour" is not a field of this call'],
      ]),
    )
  })
})
