import { expect, test } from 'vitest'
import { strokeDirection } from './touch.ts'

const from = { x: 200, y: 300 }

test.each([
  [{ x: 120, y: 310 }, 'forward'],
  [{ x: 280, y: 290 }, 'back'],
  [{ x: 170, y: 300 }, null],
  [{ x: 120, y: 420 }, null],
])('a stroke to %j means %s', (to, direction) => {
  expect(strokeDirection(from, to)).toBe(direction)
})
