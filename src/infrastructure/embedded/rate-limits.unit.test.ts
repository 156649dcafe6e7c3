import { expect, it } from 'vitest'
import { openRateLimits } from './rate-limits.ts'

const limit = { name: 'login', points: 1, windowMs: 600_000 }
/** More than is remembered. */
const strangers = Array.from({ length: 60_000 }, (_, n) => `stranger-${n}`)

it('remembers a bounded number of keys, and longest those that were counted last', async () => {
  const limits = openRateLimits()
  await limits.hit(limit, 'hers')
  for (const stranger of strangers) {
    await limits.hit(limit, stranger)
    if (stranger === 'stranger-40000') await limits.hit(limit, 'hers')
  }
  expect(await limits.hit(limit, 'hers')).toMatchObject({ allowed: false })
  expect(await limits.hit(limit, 'stranger-59999')).toMatchObject({ allowed: false })
  expect(await limits.hit(limit, 'stranger-0')).toMatchObject({ allowed: true })
})

it('remembers nothing of what was given back, and forgets nobody for it', async () => {
  const limits = openRateLimits()
  await limits.hit(limit, 'hers')
  for (const stranger of strangers) {
    await limits.hit(limit, stranger)
    await limits.giveBack(limit.name, stranger)
  }
  expect(await limits.hit(limit, 'hers')).toMatchObject({ allowed: false })
})

it('forgets nobody of one limit for those of another', async () => {
  const limits = openRateLimits()
  await limits.hit(limit, 'hers')
  for (const stranger of strangers) await limits.hit({ ...limit, name: 'forms' }, stranger)
  expect(await limits.hit(limit, 'hers')).toMatchObject({ allowed: false })
})
