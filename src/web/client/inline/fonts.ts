/** Id of the style element that waits with the faces of the fonts. */
export const FONTS_ELEMENT = 'fonts'

/**
 * Once fonts have come in a session they are in the browser's cache, and need not wait any more: `1`, or `0` where
 * nothing as wide stands in for them.
 */
const KEPT = 'atelier.fonts'

/**
 * Shows the site's fonts. They are asked for once the first view is painted in the ones that stand in for them, which
 * are as wide: on a slow line they would hold up the name and the first image by half a second. Where none of those
 * is on the machine (`fallback-fonts.css`), fonts that come late would push the page about: then they are shown only
 * if they are there at the first paint, which on a next page they are. Not so those of Devanagari: a machine without
 * them draws boxes, and words that can be read matter more than places that stand.
 * @returns `fetch` asks for them now, without waiting for the first paint
 */
export function showFonts(): { readonly fetch: () => void } {
  const fetch = (): void => void standInsFit().then(show)
  const kept = keptFit()
  if (kept !== null) show(kept)
  else {
    new PerformanceObserver((entries, observer) => {
      if (entries.getEntriesByName('first-contentful-paint').length === 0) return
      observer.disconnect()
      fetch()
    }).observe({ type: 'paint', buffered: true })
  }
  return { fetch }
}

function show(standInsFitHere: boolean): void {
  const faces = document.getElementById(FONTS_ELEMENT)
  if (!(faces instanceof HTMLStyleElement) || faces.media === 'all') return
  faces.media = 'all'
  if (!standInsFitHere) {
    for (const face of document.fonts) if (!face.family.includes('Eczar')) face.display = 'optional'
  }
  try {
    sessionStorage.setItem(KEPT, standInsFitHere ? '1' : '0')
  } catch {
    // Where nothing may be kept, the next page waits again.
  }
}

/** Whether both families have one that stands in for them on this machine. */
async function standInsFit(): Promise<boolean> {
  const standIns = [...document.fonts].filter(
    ({ family, style, weight }) =>
      family.includes('Fallback') && style === 'normal' && weight.startsWith('400'),
  )
  // One that is not on the machine rejects, and stays unloaded.
  await Promise.allSettled(standIns.map((face) => face.load()))
  const loaded = [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family)
  return ['Newsreader', 'Anek'].every((name) => loaded.some((family) => family.includes(name)))
}

function keptFit(): boolean | null {
  try {
    const kept = sessionStorage.getItem(KEPT)
    return kept === null ? null : kept === '1'
  } catch {
    return null
  }
}
