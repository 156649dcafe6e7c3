import { describe, expect, it } from 'vitest'
import { makeArtwork } from '#web/contract/testing/make-page-data.ts'
import { imageOf } from './images.ts'

describe('imageOf', () => {
  const artwork = makeArtwork(0)
  const folder = artwork.imageUrl.replace('/original-view.jpg', '')

  it('offers AVIF, then WebP in every width, a JPEG for all others, and exact dimensions', () => {
    expect(imageOf(artwork)).toEqual({
      src: `${folder}/1200.jpg`,
      sources: [
        {
          type: 'image/avif',
          srcSet: `${folder}/320.avif 320w, ${folder}/640.avif 640w, ${folder}/960.avif 960w, ${folder}/1200.avif 1200w`,
        },
        { type: 'image/webp', srcSet: expect.stringContaining(`${folder}/640.webp 640w`) },
      ],
      width: 1200,
      height: 800,
    })
  })

  it('leaves out what is wider than its place will ever be, but for the narrowest', () => {
    expect(imageOf(artwork, 700)?.sources[0]?.srcSet).toBe(`${folder}/320.avif 320w, ${folder}/640.avif 640w`)
    expect(imageOf(artwork, 700)?.src).toBe(`${folder}/640.jpg`)
    expect(imageOf(artwork, 100)?.sources[0]?.srcSet).toBe(`${folder}/320.avif 320w`)
  })

  it('shows the first displayable picture until the variants are there', () => {
    const copied = { ...artwork, image: artwork.image && { ...artwork.image, ready: false } }
    expect(imageOf(copied)).toMatchObject({ src: artwork.imageUrl, sources: [], width: 1200 })
  })

  it('shows a picture of another site as it is', () => {
    const linked = { imageUrl: 'https://elsewhere.example/a.jpg', image: null }
    expect(imageOf(linked)).toMatchObject({ src: linked.imageUrl, sources: [], width: null })
  })

  it('is nothing without an address', () => {
    expect(imageOf({ imageUrl: '', image: null })).toBeNull()
  })
})
