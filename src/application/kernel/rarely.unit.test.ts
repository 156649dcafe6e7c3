import { expect, it } from 'vitest'
import { rarely } from './rarely.ts'

it('what goes wrong again and again is told at first, rarely after that, and once when it is over', () => {
  const told: string[] = []
  const say = (_: object, words: string): void => void told.push(words)
  let now = 0
  const { wrong, right } = rarely({ info: say, warn: say }, () => now)
  const minutes = (count: number): void => {
    for (let n = 0; n < count; n += 1) {
      wrong('full', {}, 'It is full')
      now += 60_000
    }
  }
  right('All is well')
  minutes(10)
  expect(told).toEqual(['It is full'])
  wrong('away', {}, 'It is away')
  minutes(10)
  expect(told.splice(0)).toEqual(['It is full', 'It is away', 'It is full'])
  right('All is well')
  right('All is well')
  minutes(1)
  expect(told).toEqual(['All is well', 'It is full'])
})
