import type { Dispatcher } from 'undici'
import type { Gallery } from './gallery.ts'

/** Works whose prices are set in turn. */
export const works = 200

export const sent = async (
  dispatcher: Dispatcher,
  path: string,
  headers: Record<string, string>,
  body: string,
): Promise<string> => {
  const answer = await dispatcher.request({ origin: '', path, method: 'PUT', headers, body })
  const text = await answer.body.text()
  if (answer.statusCode !== 200) throw new Error(`PUT ${path}: ${answer.statusCode} ${text}`)
  return text
}

/** A new price for one of the works: answered means that the read model shows it. */
const setPrice = (gallery: Gallery, dispatcher: Dispatcher, run: number): Promise<string> => {
  const headers = { cookie: gallery.cookie, 'content-type': 'application/json' }
  const id = gallery.ids[run % works] ?? ''
  return sent(dispatcher, `/api/artworks/${id}`, headers, JSON.stringify({ price: 20_000 + run }))
}

/** Proves, outside the measured time, that the last prices are what a visitor gets. @throws when one is not */
const checkVisible = async (gallery: Gallery, lastRun: number): Promise<void> => {
  const answer = await fetch(`${gallery.site.url}/api/artworks`)
  // The public list of the site under test; a price that differs is the error this looks for.
  const list = (await answer.json()) as { id: string; price: number }[]
  const prices = new Map(list.map((work) => [work.id, work.price]))
  for (let run = Math.max(1, lastRun - works + 1); run <= lastRun; run += 1) {
    const shown = prices.get(gallery.ids[run % works] ?? '')
    if (shown !== 20_000 + run)
      throw new Error(`A changed price is not visible: ${shown} instead of ${20_000 + run}`)
  }
}

/** Sends price after price; the number of the run makes each price a new one. */
export const pricesOf = (gallery: Gallery) => {
  let sentSoFar = 0
  return {
    next: (dispatcher: Dispatcher): Promise<string> => {
      sentSoFar += 1
      return setPrice(gallery, dispatcher, sentSoFar)
    },
    check: (): Promise<void> => checkVisible(gallery, sentSoFar),
  }
}
