import { expect, it } from 'vitest'
import { EngineUnheard } from '#application/kernel/ports/event-store.ts'
import { unlessSilent } from './silence.ts'

const unheard = () => Promise.reject(new EngineUnheard('mongodb', 'no answer'))

it('takes a call without an answer for silence once nobody has been answered for long enough', async () => {
  const last = performance.now() - 2_900
  await expect(unlessSilent(unheard(), 60_000, () => last)).rejects.toMatchObject({ name: 'EnginesSilent' })
})

it('takes it for what it is as soon as somebody else is answered', async () => {
  let looks = 0
  const heardAt = () => {
    looks += 1
    return looks > 3 ? performance.now() : performance.now() - 1_000
  }
  await expect(unlessSilent(unheard(), 60_000, heardAt)).rejects.toThrow(EngineUnheard)
})
