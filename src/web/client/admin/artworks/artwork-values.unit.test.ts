import { expect, onTestFinished, test, vi } from 'vitest'
import { makeArtwork } from '#web/contract/testing/make-page-data.ts'
import {
  bodyOf,
  newBodyOf,
  newValues,
  problemsIn,
  readingOf,
  titleFromFile,
  valuesLike,
  valuesOf,
} from './artwork-values.ts'

const now = new Date('2026-03-04T10:00:00Z')
const artwork = makeArtwork(0, {
  title: 'Kajal',
  description: 'Two breaths.',
  price: 18_500,
  category: 'Works on Paper',
  dimensions: '56 × 76 cm',
  medium: 'Ink',
  yearCreated: 2025,
  framing: 'framed',
  qrCodeUrl: '/qr/abc.png',
  isAvailable: false,
  isFeatured: true,
  saleStatus: 'sold',
  altText: 'Kajal, Ink, 2025',
})

test('a new work starts as the specification says: price 0, this year, available, not featured', () => {
  const values = newValues(now)
  expect(values).toMatchObject({ price: '0', yearCreated: '2026', isAvailable: true, isFeatured: false })
  expect(newBodyOf({ ...values, title: 'A', imageUrl: 'https://a.example/b.jpg' })).toMatchObject({
    title: 'A',
    price: 0,
    yearCreated: 2026,
    qrCodeUrl: null,
    isVisible: true,
  })
})

test.each([
  ['2026-12-31T23:30:00Z', 2026, 2027],
  ['2027-01-01T00:30:00Z', 2027, 2026],
])('at %s the year is %d as it is in UTC, whatever clocks show here', (at, year, local) => {
  const clock = vi.spyOn(Date.prototype, 'getFullYear').mockReturnValue(local)
  onTestFinished(() => clock.mockRestore())
  const values = newValues(new Date(at))
  expect(values.yearCreated).toBe(String(year))
  const latest = { ...values, title: 'A', imageUrl: 'https://a.example/b.jpg', yearCreated: String(year + 1) }
  expect(problemsIn(latest, new Date(at))).not.toHaveProperty('yearCreated')
  expect(problemsIn({ ...latest, yearCreated: String(year + 2) }, new Date(at))).toHaveProperty('yearCreated')
})

test('another like this copies all but picture, title and sale status', () => {
  const like = valuesLike(artwork, newValues(now))
  expect(like).toMatchObject({
    title: '',
    imageUrl: '',
    saleStatus: 'for_sale',
    price: '18500',
    medium: 'Ink',
    category: 'Works on Paper',
    dimensions: '56 × 76 cm',
    description: 'Two breaths.',
    isAvailable: false,
    isFeatured: true,
  })
  expect(Object.keys(like)).toEqual(Object.keys(newValues(now)))
})

test('a body holds only the fields it was given', () => {
  expect(bodyOf({ title: 'B' })).toEqual({ title: 'B' })
  expect(bodyOf({ qrCodeUrl: ' ' })).toEqual({ qrCodeUrl: null })
  expect(bodyOf({ yearCreated: '' })).toEqual({ yearCreated: null })
})

test.each([
  ['1,25,000', 1_25_000],
  ['₹ 96000', 96_000],
  ['', 0],
])('the price %j is %d rupees', (typed, rupees) => {
  expect(bodyOf({ price: typed })).toEqual({ price: rupees })
})

test('what is missing or no number is said at its field', () => {
  const problems = problemsIn({ ...newValues(now), price: '12.50', yearCreated: 'last' }, now)
  expect(problems).toEqual({
    title: 'Title is required',
    imageUrl: 'Please upload an image or provide an image URL.',
    price: 'Price must be a whole number of rupees between 0 and 10,00,00,000',
    yearCreated: 'Year must be a whole number between 1000 and 2027',
  })
  expect(problemsIn(valuesOf(artwork), now)).toEqual({})
  expect(problemsIn({ ...valuesOf(artwork), yearCreated: '2028' }, now)).toHaveProperty('yearCreated')
})

test.each([
  ['ghats_2024-final.jpg', 'Ghats 2024 final'],
  ['IMG_2041.JPEG', 'IMG 2041'],
  ['.png', 'Untitled'],
  ['नील.jpg', 'नील'],
  [`${'N'.repeat(199)}😀.jpg`, 'N'.repeat(199)],
])('the file %j becomes the title %j', (file, title) => {
  expect(titleFromFile(file)).toBe(title)
})

test('a price reads as its number, however it was typed', () => {
  expect(readingOf('price', '₹1,000')).toBe(readingOf('price', '1000'))
  expect(readingOf('price', '₹1,000')).not.toBe(readingOf('price', '100'))
  expect(readingOf('title', ' Haldi ')).toBe('Haldi')
})
