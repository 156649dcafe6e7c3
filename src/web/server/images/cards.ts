import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Context } from 'koa'
import { cardKey, firstKey, originalKey } from '#application/images/image-files.ts'
import { FileCut } from '#application/kernel/ports/files.ts'
import { publicPrice, saleWords } from '#web/contract/details.ts'
import { type CardSubject, findCardSubject } from '#projections/artworks/queries.ts'
import type { WebDeps } from '../deps.ts'
import { CallRefused } from '../door/errors.ts'
import { forEver } from '../door/headers.ts'
import { type Lane, type Reader, readerOf } from '../door/lane.ts'
import { untilLeft } from '../door/until-left.ts'
import { sendFile, type Store } from './stored-files.ts'
import type { Guard } from './variants.ts'

type Deps = Pick<WebDeps, 'app' | 'documents' | 'settings'>

/** What is asked of an address that shows nothing, or nothing any more. */
export const noImage = (): CallRefused => new CallRefused(404, 'There is no such picture here')

/** Renders each card once for all who ask at the same time. */
const cardRenderer = ({ app, documents }: Deps, drawing: Lane<void>) => {
  /** Some local copy of an image, as the program that works on pixels needs it. */
  const withLocalFile = async (hash: string | null, work: (path: string | null) => Promise<void>) => {
    const path = await app.scratch.path(`card-${randomUUID()}`)
    /** @returns false when there is none, or not all of it */
    const copied = async (key: string): Promise<boolean> => {
      const file = await app.files.open(key)
      if (file === null) return false
      try {
        await pipeline(file.stream, createWriteStream(path, { mode: 0o600 }))
        return true
      } catch (error) {
        if (error instanceof FileCut) return false
        throw error
      }
    }
    try {
      const hasOne = hash !== null && ((await copied(originalKey(hash))) || (await copied(firstKey(hash))))
      await work(hasOne ? path : null)
    } finally {
      await app.scratch.remove(path)
    }
  }

  const render = async (cardHash: string): Promise<void> => {
    const artwork = await findCardSubject(documents, cardHash)
    if (artwork === null) throw noImage()
    const { title, saleStatus, imageHash, artistName } = artwork
    await withLocalFile(imageHash, async (imagePath) => {
      // Drawn without it the card would stay so when the image is back: its address is kept for ever.
      if (imageHash !== null && imagePath === null) throw noImage()
      const card = await app.images.card({
        title,
        saleStatus,
        imagePath,
        artist: artistName,
        caption: cardCaption(artwork),
      })
      await app.files.replace(cardKey(cardHash), card.data)
    })
  }

  return (cardHash: string, reader: Reader): Promise<void> =>
    drawing.take(`card ${cardHash}`, () => render(cardHash), { reader })
}

/**
 * Answers with the card of that hash, which is made when it is asked for first; false where it is
 * no artwork's any more.
 * @param guard tells whether all of a card that was drawn before is there
 * @param drawing where visitors' images are drawn, one after the other
 */
export const cardSender = (
  deps: Deps,
  store: Store,
  guard: Guard,
  drawing: Lane<void>,
): ((ctx: Context, cardHash: string) => Promise<boolean>) => {
  const { documents, settings } = deps
  const renderCard = cardRenderer(deps, drawing)
  return async (ctx, cardHash) => {
    if ((await findCardSubject(documents, cardHash)) === null) return false
    const key = cardKey(cardHash)
    const draw = (): Promise<void> =>
      untilLeft(ctx.res, renderCard(cardHash, readerOf(ctx.req, settings.trustProxy)))
    if (!(await untilLeft(ctx.res, guard.isJpegSound(key)))) await draw()
    const sent = await sendFile(ctx, store, key, forEver)
    if (sent !== 'cut') return sent === 'sent'
    await draw()
    return (await sendFile(ctx, store, key, forEver)) === 'sent'
  }
}

/** The line of an artwork's card that says what it costs, in the words of the page. */
export const cardCaption = (artwork: Pick<CardSubject, 'price' | 'saleStatus'>): string => {
  const price = publicPrice(artwork) ?? saleWords[artwork.saleStatus]
  return artwork.saleStatus === 'reserved' ? `${price}, reserved` : price
}
