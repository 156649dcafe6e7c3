/// <reference lib="dom" />
import type { Page, Response } from 'playwright'
import { FONTS_KEPT } from '#web/client/inline/fonts.ts'
import { READY } from '#web/client/inline/program.ts'

/**
 * Uses the page, which brings the program, and resolves when it is there and React has taken the page over: its
 * elements then carry its private keys. Until then a button does what it does without a script, and Back loads the page
 * again. Every page has one `main`: the homepage with or without an open work, `/admin` with or without a session, and
 * the page that is none (404). Gives the page.
 */
export async function alive(page: Page): Promise<Page> {
  await page.waitForFunction((ready) => {
    // What a moving pointer does; the page may not have begun to listen at the first look.
    dispatchEvent(new Event('pointermove'))
    const main = document.querySelector('#app main')
    return (
      document.documentElement.hasAttribute(ready) &&
      main !== null &&
      Object.keys(main).some((key) => key.startsWith('__reactFiber'))
    )
  }, READY)
  return page
}

/** Resolves when the fonts of a first view have come and are shown. No promise within: one is true at once. */
export async function fontsShown(page: Page): Promise<void> {
  await page.waitForFunction(
    (key) => document.fonts.status === 'loaded' && sessionStorage.getItem(key) !== null,
    FONTS_KEPT,
  )
}

/** Opens an address and waits until the page is taken over. Gives the answer of the server. */
export async function visit(page: Page, address: string): Promise<Response | null> {
  const answer = await page.goto(address)
  await alive(page)
  return answer
}

/**
 * Where the page is scrolled to once it stands still, in pixels. Tiles far down take their exact height only when they
 * come near; the browser then moves the page in a later frame, so that what is looked at stays.
 */
export function placeAtRest(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let [last, frames] = [Number.NaN, 0]
        const look = (): void => {
          frames = scrollY === last ? frames + 1 : 0
          last = scrollY
          if (frames === 5) resolve(Math.round(scrollY))
          else requestAnimationFrame(look)
        }
        look()
      }),
  )
}

/**
 * Resolves when the stream of changes is open, of this page or of another tab of the same browser: what was changed
 * before, it may not hear of. The stream is opened anew for that, because only its opening is told.
 */
export async function listening(page: Page): Promise<void> {
  // Not by `waitForFunction`: to it the promise of a look is true at once.
  await page.evaluate(async (tabs) => {
    const locks = async (): Promise<number> => {
      const { held = [], pending = [] } = await navigator.locks.query()
      return [...held, ...pending].filter(({ name }) => name === 'atelier-changes').length
    }
    while ((await locks()) !== tabs) await new Promise((resolve) => setTimeout(resolve, 20))
  }, page.context().pages().length)
  await page.evaluate(async () => {
    const channel = new BroadcastChannel('atelier-changes')
    await new Promise<void>((resolve) => {
      channel.addEventListener('message', ({ data }) => {
        if ('opened' in data) resolve()
      })
      channel.postMessage({ reopen: true })
    })
    channel.close()
  })
}

/** Holds back the requests to an address until they are let go; then they pass. */
export async function held(
  page: Page,
  address: string,
  method?: string,
): Promise<{ letGo: () => Promise<void> }> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    if (method === undefined || route.request().method() === method) await promise
    // Cancelled meanwhile: there is nothing left to pass on.
    await route.continue().catch(() => undefined)
  })
  return {
    letGo: async () => {
      resolve()
      await page.unroute(address)
    },
  }
}
