import { expect, it } from 'vitest'
import { takeImage } from './take-image.ts'
import { ownerCommand, testApplication } from '../testing/application.ts'

it('says where the log has it, however often and however close together it comes', async () => {
  const { app, eventStore } = testApplication()
  const take = () => takeImage(app, 'photo.jpg', ownerCommand())
  const taken = [...(await Promise.all([take(), take()])), await take()]
  const [event] = eventStore.events
  expect(eventStore.events).toHaveLength(1)
  expect(taken.map(({ position }) => position)).toEqual(Array(3).fill(event?.position))
})
