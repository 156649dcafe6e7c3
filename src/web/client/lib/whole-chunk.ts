/** Addresses of the stylesheets that could not be fetched. */
const failed = new Set<string>()

/** Takes note of each stylesheet of a chunk that cannot be fetched. Once for a page. */
export function noteFailedStyles(page: Document): void {
  page.addEventListener(
    'error',
    ({ target }) => {
      if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return
      failed.add(target.href)
      target.remove()
    },
    // Errors of links do not bubble.
    { capture: true },
  )
}

/**
 * Brings a chunk with its styles. The bundler's own loader asks for a stylesheet once in the life of a page: a chunk
 * that is asked for again after its styles did not come would be drawn without them. They are asked for a second time
 * at once, because a browser that goes from page to page may join a fetch of the page before and cancel it with that.
 * @param load imports the chunk
 * @throws what `load` throws; an error where styles cannot be fetched
 */
export async function wholeChunk<T>(load: () => Promise<T>): Promise<T> {
  try {
    await fetchFailedStyles()
    return await load()
  } catch (error) {
    if (failed.size === 0) throw error
    await fetchFailedStyles()
    return load()
  }
}

async function fetchFailedStyles(): Promise<void> {
  const again = [...failed]
  failed.clear()
  await Promise.all(again.map(fetchStyles))
}

function fetchStyles(href: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', crossOrigin: '', href })
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => reject(new Error(`The styles ${href} could not be fetched`)))
    document.head.append(link)
  })
}
