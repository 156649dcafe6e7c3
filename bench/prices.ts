import type { Dispatcher } from 'undici'
import type { Gallery } from './gallery.ts'

/** Works whose prices are set in turn. */
export const artworks = 200

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
  const id = gallery.ids[run % artworks] ?? ''
  return sent(dispatcher, `/api/artworks/${id}`, headers, JSON.stringify({ price: 20_000 + run }))
}

/** What the answer to a changed price says about the work; the call's contract has more. */
type Priced = { id: string; price: number; version: number }

/**
 * Proves, outside the measured time, that the newest of the answered prices are what a visitor gets. Which that is
 * tells the work's version: of two changes on their way at once the one sent first may well be made last.
 * @throws when another price is shown
 */
const checkVisible = async (gallery: Gallery, answers: readonly string[]): Promise<void> => {
  const newest = new Map<string, Priced>()
  for (const text of answers) {
    // The work as the call's contract has it.
    const artwork = JSON.parse(text) as Priced
    if (artwork.version >= (newest.get(artwork.id)?.version ?? 0)) newest.set(artwork.id, artwork)
  }
  const answer = await fetch(`${gallery.site.url}/api/artworks`)
  // The public list of the site under test; a price that differs is the error this looks for.
  const list = (await answer.json()) as Priced[]
  const prices = new Map(list.map(({ id, price }) => [id, price]))
  for (const { id, price } of newest.values()) {
    const shown = prices.get(id)
    if (shown !== price) throw new Error(`A changed price is not visible: ${shown} instead of ${price}`)
  }
}

/** Sends price after price; the number of the run makes each price a new one. */
export const pricesOf = (gallery: Gallery) => {
  let sentSoFar = 0
  let answers: string[] = []
  return {
    next: async (dispatcher: Dispatcher): Promise<void> => {
      sentSoFar += 1
      answers.push(await setPrice(gallery, dispatcher, sentSoFar))
    },
    /** Of the prices since the last check. */
    check: async (): Promise<void> => {
      const taken = answers
      answers = []
      await checkVisible(gallery, taken)
    },
  }
}
