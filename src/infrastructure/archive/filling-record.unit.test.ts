import { expect, it } from 'vitest'
import { memoryLedger } from '#application/testing/memory-ledger.ts'
import { dropOtherFillings, fillingRecord, halfFilled } from './filling-record.ts'

it('what is filled whole by one kind keeps nothing of what another broke off there', async () => {
  const effects = memoryLedger()
  await fillingRecord('restore', effects).begin('of a backup')
  await fillingRecord('import', effects).begin('of a log')
  await dropOtherFillings(effects, 'import')
  expect(await halfFilled(effects)).toContain('An import was broken off here')
  await fillingRecord('import', effects).end('of a log')
  expect(await halfFilled(effects)).toBeNull()
  // Its pictures and keys are not here: whoever repeats it is not told that nothing is left to do.
  expect(await fillingRecord('restore', effects).hasEnded()).toBe(false)
  expect(await fillingRecord('import', effects).hasEnded()).toBe(true)
})
