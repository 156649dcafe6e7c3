import { describe, expect, it } from 'vitest'
import { revisePost } from '../journal/posts.ts'
import { updateContent } from '../site-content/site-content.ts'
import { ownerCommand, testApplication } from '../testing/application.ts'
import { ownImageAt } from './own-image.ts'
import { originalKey } from './image-files.ts'
import { imageUrlOf } from '#domain/images/image-address.ts'

const hash = 'b'.repeat(64)
const address = imageUrlOf(hash)

describe('an address of an image of our own', () => {
  it('is taken while the image is here', async () => {
    const { app, files } = testApplication()
    files.set(originalKey(hash), new Uint8Array(9))
    expect(await ownImageAt(app, 'imageUrl', address)).toBe(hash)
    expect(await ownImageAt(app, 'imageUrl', 'https://pictures.example/a.jpg')).toBeNull()
    expect(await ownImageAt(app, 'imageUrl', null)).toBeNull()
  })

  it('that leads to nothing is refused for a portrait and for a post, unless it is shown there already', async () => {
    const { app, files, eventStore } = testApplication()
    const portrait = { profileImageUrl: address }
    const update = () => updateContent(app, portrait, null, ownerCommand())
    await expect(update()).rejects.toMatchObject({ fields: { profileImageUrl: expect.any(String) } })
    await expect(revisePost(app, 'p1', { imageUrl: address }, null, ownerCommand())).rejects.toMatchObject({
      fields: { imageUrl: expect.any(String) },
    })
    expect(eventStore.events).toEqual([])
    files.set(originalKey(hash), new Uint8Array(9))
    await update()
    files.clear()
    await update()
    expect(eventStore.events).toHaveLength(1)
  })
})
