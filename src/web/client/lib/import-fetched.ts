/** Files of chunks that have come or are on their way, by address. */
const fetched = new Map<string, Promise<void>>()

/**
 * Imports a chunk once all its files are there: the bundler has every `import()` done by this (`vite.config.ts`). Firefox
 * remembers for as long as the page is there that an import has failed, and would not ask again.
 * @param load imports it
 * @param files the chunk's own and what it needs
 * @throws where one of them does not come; the next call asks for it again
 */
export async function importFetched<T>(load: () => Promise<T>, files: readonly string[] = []): Promise<T> {
  await Promise.all(files.map((file) => fetchOnce(`/${file}`)))
  return load()
}

/** Whether a chunk is gone, because the site was renewed while the page stood open: only another page has one. */
export const isGone = (error: unknown): boolean => error instanceof TypeError && error.cause === 404

function fetchOnce(address: string): Promise<void> {
  const coming =
    fetched.get(address) ??
    fetchFile(address).catch((error: unknown) => {
      fetched.delete(address)
      throw error
    })
  fetched.set(address, coming)
  return coming
}

async function fetchFile(address: string): Promise<void> {
  const isStyle = address.endsWith('.css')
  if (isStyle && document.querySelector(`link[rel=stylesheet][href="${address}"]`)) return
  // Once more at once: a browser that goes from page to page may join a fetch of the page before, and cancel it with that.
  const answer = await fetch(address).catch(() => fetch(address).catch(() => null))
  await answer?.arrayBuffer()
  // In the words of a browser, by which the router knows that a page loaded anew may have it.
  if (!answer?.ok)
    throw new TypeError(`Failed to fetch dynamically imported module: ${address}`, { cause: answer?.status })
  if (isStyle) await addStyles(address)
}

function addStyles(href: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href })
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => {
      link.remove()
      reject(new Error(`The styles ${href} could not be fetched`))
    })
    document.head.append(link)
  })
}
