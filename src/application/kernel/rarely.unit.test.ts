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

it('of troubles that are others each time no more than a hundred are remembered', () => {
  const told: string[] = []
  const say = (_: object, words: string): void => void told.push(words)
  const { wrong } = rarely({ warn: say }, () => 0)
  for (let n = 0; n <= 100; n += 1) wrong(`trouble ${n}`, {}, `It is trouble ${n}`)
  wrong('trouble 100', {}, 'It is the same')
  wrong('trouble 0', {}, 'It is an older one')
  expect(told.slice(-2)).toEqual(['It is trouble 100', 'It is an older one'])
})
