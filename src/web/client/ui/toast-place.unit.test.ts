import { expect, test } from 'vitest'
import { type Box, type Need, toastPlaceFor } from './toast-place.ts'

const phone = { left: 0, top: 0, right: 360, bottom: 640 }
const toast = { width: 328, height: 64 }
const home = { left: 16, top: 560 }

const need = (left: number, top: number, width: number, height: number, weight = 1_000): Need => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
  weight,
})

const overlaps = (a: Box, { left, top }: { left: number; top: number }, size = toast): boolean =>
  a.left < left + size.width && a.right > left && a.top < top + size.height && a.bottom > top

test('with nothing in its way a message lies at its home', () => {
  expect(toastPlaceFor(toast, phone, home, [])).toEqual({ ...home, cost: 0 })
})

test('a bar at the lower edge is left free, and the message lies just above it', () => {
  const bar = need(8, 550, 344, 60)
  expect(toastPlaceFor(toast, phone, home, [bar])).toEqual({ left: 16, top: 550 - 4 - 64, cost: 0 })
})

test('focused field, next field, and both ends of a dialog are left free on a phone', () => {
  const needs = [
    need(300, 40, 44, 44),
    need(16, 100, 328, 44),
    need(16, 180, 328, 44),
    need(16, 570, 160, 44),
    need(184, 570, 160, 44),
  ]
  const place = toastPlaceFor(toast, phone, home, needs)
  expect(place.cost).toBe(0)
  expect(needs.filter((each) => overlaps(each, place))).toEqual([])
})

test('where all is needed, what matters most is left free', () => {
  const rows = Array.from({ length: 10 }, (_, n) => need(0, n * 64, 360, 64, n === 8 || n === 9 ? 1_000 : 10))
  const place = toastPlaceFor(toast, phone, home, rows)
  expect(rows.filter((each) => each.weight === 1_000 && overlaps(each, place))).toEqual([])
})

test('a message that is in nobody’s way stays where it lies, and makes way when something is needed there', () => {
  const now = { left: 16, top: 300 }
  expect(toastPlaceFor(toast, phone, home, [], now)).toMatchObject(now)
  const field = need(16, 310, 328, 44)
  expect(overlaps(field, toastPlaceFor(toast, phone, home, [field], now))).toBe(false)
})

test('a message stays on screen, also when it is larger than the room', () => {
  expect(toastPlaceFor({ width: 400, height: 64 }, phone, { left: 900, top: 900 }, [])).toMatchObject({
    left: 8,
  })
})
