import { expect, it } from 'vitest'
import { causedBy } from '../kernel/envelope.ts'
import { journalCopier } from './journal-copier.ts'
import { takeImage } from './take-image.ts'
import { originalKey } from './image-files.ts'
import { imageHash, ownerCommand, testApplication } from '../testing/application.ts'

it('says where the log has it, however often and however close together it comes', async () => {
  const { app, eventStore } = testApplication()
  const take = () => takeImage(app, 'photo.jpg', ownerCommand())
  const taken = [...(await Promise.all([take(), take()])), await take()]
  const [event] = eventStore.events
  expect(eventStore.events).toHaveLength(1)
  expect(taken.map(({ position }) => position)).toEqual(Array(3).fill(event?.position))
})

it('has the sizes of one that a blog has shown before made with her own, once', async () => {
  const { app, eventStore } = testApplication()
  const blog = causedBy({ eventId: 'e', correlationId: 'sync' }, journalCopier, app.clock.now())
  await takeImage(app, 'photo.jpg', blog)
  await takeImage(app, 'photo.jpg', blog)
  expect(eventStore.events.map(({ type }) => type)).toEqual(['ImageUploaded'])
  const taken = await takeImage(app, 'photo.jpg', ownerCommand())
  await takeImage(app, 'photo.jpg', ownerCommand())
  expect(eventStore.events.map(({ type, meta }) => [type, meta.actor.kind])).toEqual([
    ['ImageUploaded', 'system'],
    ['ImageReprocessingRequested', 'owner'],
  ])
  expect(taken.position).toBe(eventStore.events.at(-1)?.position)
})

it('removes no original that another upload of the same picture has put there meanwhile', async () => {
  const { app, files } = testApplication()
  const key = originalKey(imageHash)
  const seenBy: boolean[] = []
  const late = {
    ...app,
    files: {
      ...app.files,
      // The other one puts it right after this one has seen that there is none.
      size: async (asked: string) => {
        const found = await app.files.size(asked)
        if (asked === key && found === null) await app.files.putFile(key, 'photo.jpg')
        return found
      },
      putFile: async (...given: Parameters<typeof app.files.putFile>) => {
        seenBy.push(files.has(key))
        await app.files.putFile(...given)
      },
    },
  }
  await takeImage(late, 'photo.jpg', ownerCommand())
  expect(seenBy).toEqual([true])
})

it('puts an original right that is damaged although it is as long as it was', async () => {
  const { app, files } = testApplication()
  const take = () => takeImage(app, 'photo.jpg', ownerCommand())
  await take()
  const key = originalKey(imageHash)
  const whole = files.get(key)
  files.set(
    key,
    Uint8Array.from(whole ?? [], (byte, n) => (n === 4 ? byte ^ 1 : byte)),
  )
  await take()
  expect(files.get(key)).toEqual(whole)
})
