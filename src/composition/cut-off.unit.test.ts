import { expect, it } from 'vitest'
import { noteCutOff } from './cut-off.ts'

/** A process that heard of its documents at 0, by a clock that is set by hand. */
const silentProcess = () => {
  let [time, heardAt] = [0, 0]
  const noted = noteCutOff(
    () => heardAt,
    () => time,
  )
  return {
    hears: (at: number) => {
      heardAt = at
    },
    storedElsewhere: (at: number) => {
      time = at
      noted.storedElsewhere()
    },
    isCutOff: (at: number) => {
      time = at
      return noted.isCutOff()
    },
  }
}

it('is cut off once others have stored something while it hears nothing, until it hears again', () => {
  const { hears, storedElsewhere, isCutOff } = silentProcess()
  expect(isCutOff(90_000)).toBe(false)
  storedElsewhere(100_000)
  storedElsewhere(100_900)
  expect(isCutOff(101_001)).toBe(true)
  hears(101_500)
  expect(isCutOff(200_000)).toBe(false)
})

it('is not for what one that stood still tells late, all at once', () => {
  const { storedElsewhere, isCutOff } = silentProcess()
  storedElsewhere(3_000)
  storedElsewhere(3_090)
  expect(isCutOff(60_000)).toBe(false)
  storedElsewhere(60_000)
  expect(isCutOff(60_001)).toBe(true)
})

it('is not for what comes late, or may have been stored just before documents fell silent for all', () => {
  const { hears, storedElsewhere, isCutOff } = silentProcess()
  storedElsewhere(400)
  expect(isCutOff(60_000)).toBe(false)
  storedElsewhere(60_000)
  storedElsewhere(60_900)
  expect(isCutOff(60_900)).toBe(false)
  hears(60_950)
  expect(isCutOff(61_100)).toBe(false)
})
