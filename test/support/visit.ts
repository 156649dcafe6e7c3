/// <reference lib="dom" />
import type { Page, Response } from 'playwright'

/**
 * Resolves when React has taken the page over: its elements then carry its private keys. Until then a button does
 * what it does without a script. Every page has one `main`: the homepage with or without an open work, `/admin` with
 * or without a session, and the page that is none (404). Gives the page.
 */
export async function alive(page: Page): Promise<Page> {
  await page.waitForFunction(() => {
    const main = document.querySelector('#app main')
    return main !== null && Object.keys(main).some((key) => key.startsWith('__reactFiber'))
  })
  return page
}

/** Opens an address and waits until the page is taken over. Gives the answer of the server. */
export async function visit(page: Page, address: string): Promise<Response | null> {
  const answer = await page.goto(address)
  await alive(page)
  return answer
}
