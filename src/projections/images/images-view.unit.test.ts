import { describe, expect, it } from 'vitest'
import { imagesProjection } from './images-view.ts'
import { findImage, imageLooks } from './queries.ts'
import type { Projection } from '../runtime/projection.ts'
import { type Happened, projected } from '../testing/history.ts'
import { imageProcessed, imageUploaded, imageHash } from '../testing/artworks.ts'

const after = (...history: readonly Happened[]) =>
  projected([imagesProjection as unknown as Projection], history)
const failed: Happened = {
  stream: `image-${imageHash}`,
  event: { type: 'ImageProcessingFailed', data: { hash: imageHash, reason: 'Too dark' } },
}

describe('a picture as it is known', () => {
  it('can be shown before its variants are there', async () => {
    const documents = await after(imageUploaded(imageHash))
    expect(await findImage(documents, imageHash)).toMatchObject({ ready: false, widths: [], failure: null })
    expect(await imageLooks(documents, [imageHash, 'unknown', imageHash])).toEqual(
      new Map([
        [
          imageHash,
          {
            width: 4_000,
            height: 3_000,
            placeholder: 'data:image/webp;base64,AAAA',
            color: '#336699',
            ready: false,
          },
        ],
      ]),
    )
  })

  it('is ready with its widths, also after a failure', async () => {
    const documents = await after(imageUploaded(imageHash), failed, imageProcessed(imageHash))
    expect(await findImage(documents, imageHash)).toMatchObject({
      ready: true,
      widths: [320, 640],
      failure: null,
    })
  })

  it('is not known while it is discarded, and begins anew when it is uploaded again', async () => {
    const discarded: Happened = {
      stream: `image-${imageHash}`,
      event: { type: 'ImageDiscarded', data: { hash: imageHash } },
    }
    const history = [imageUploaded(imageHash), imageProcessed(imageHash), discarded]
    expect(await findImage(await after(...history), imageHash)).toBeNull()
    expect(await findImage(await after(...history, imageUploaded(imageHash)), imageHash)).toMatchObject({
      ready: false,
      widths: [],
    })
  })

  it('says why its variants could not be made', async () => {
    const documents = await after(imageUploaded(imageHash), failed)
    expect(await findImage(documents, imageHash)).toMatchObject({ ready: false, failure: 'Too dark' })
  })
})
