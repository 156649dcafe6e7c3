import { expect, it } from 'vitest'
import { decodeEvent } from '#application/kernel/codec.ts'
import { toPosition } from '#infrastructure/embedded/event-rows.ts'
import { refusalInWords } from './carry-out.ts'

it('says of an event that cannot be read what to do, and hides no other fault', async () => {
  const meta = {
    correlationId: 'c',
    causationId: 'c',
    commandId: 'c',
    actor: { kind: 'owner', accountId: 'a' },
  } as const
  const [stream, revision, position, id, occurredAt] = ['image-a', 0, toPosition(1), 'e', ''] as const
  const damaged = { stream, revision, position, id, occurredAt, meta, data: {} }
  const reading = async (): Promise<never> => {
    decodeEvent({ ...damaged, type: 'ImageUploaded', schemaVersion: 1 })
    throw new Error('It was read')
  }
  expect(await refusalInWords(reading)).toEqual({
    ok: false,
    message: expect.stringMatching(
      /^An event of the log cannot be read: ImageUploaded version 1: .*\. Restore the newest backup that /,
    ) as string,
  })
  const failing = Promise.reject(new Error('a fault of ours'))
  await expect(refusalInWords(() => failing)).rejects.toThrow('a fault of ours')
})
