import { keepInTab, keptInTab } from '../lib/tab-storage.ts'

/** Id of the style element that holds the faces of the fonts, and shows none. */
export const FONTS_ELEMENT = 'fonts'

/**
 * Once fonts have come in a session they are in the browser's cache, and need not wait any more: `1`, or `0` where
 * nothing as wide stands in for them.
 */
export const FONTS_KEPT = 'atelier.fonts'

/**
 * Shows the site's fonts. They are asked for once the first view is painted in the ones that stand in for them, which
 * are as wide: on a slow line they would hold up the name and the first image by half a second. They are shown
 * together, because each one that comes by itself has the whole page laid out anew. Where none of those that stand in
 * is on the machine (`styles/fallback-fonts.ts`), fonts that come late would push the page about: then they are fetched, and
 * shown from the next page on if they are there at its first paint. Not so those of Devanagari: a machine without
 * them draws boxes, and words that can be read matter more than places that stand.
 * @returns for who uses the page: asks for them now, without waiting for the first paint, and hides nothing
 */
export function showFonts(): () => void {
  const kept = keptInTab(FONTS_KEPT)
  let asked = kept !== null
  const fetch = (): void => {
    if (asked) return
    asked = true
    void standInsFit().then(async (fit) => {
      await show(fit, true)
      keepInTab(FONTS_KEPT, fit ? '1' : '0')
    })
  }
  if (kept !== null) void show(kept === '1', false)
  else {
    new PerformanceObserver((entries, observer) => {
      if (!entries.getEntriesByName('first-contentful-paint')[0]) return
      observer.disconnect()
      fetch()
    }).observe({ type: 'paint', buffered: true })
  }
  return () => {
    leftOut = 'auto'
    leaveOutBelow()
    fetch()
  }
}

/** In ms, of a screen that draws sixty times a second: within two frames one is drawn. */
const TWO_FRAMES = 34

/** What lies below the view, and is to be laid out in the new fonts. */
let below: HTMLElement[] = []
/** How it is left out meanwhile: in what is hidden a key or a letter would be lost, so only while nobody uses the page. */
let leftOut: 'hidden' | 'auto' = 'hidden'

const leaveOutBelow = (): void => {
  for (const { style } of below) style.contentVisibility = leftOut
}

/**
 * New fonts have the whole page laid out in one go, which is long on a slow phone. What lies below the view is left out
 * of that, and keeps its size (`section.module.css`, `footer.module.css`). Hidden, as `auto` lays out what is near.
 * Then a section at a time is laid out, each in a frame after the one that shows the fonts.
 * @param late after the first paint: together, once those that every page draws are there
 */
async function show(standInsFitHere: boolean, late: boolean): Promise<void> {
  const faces = facesOf(document.getElementById(FONTS_ELEMENT), standInsFitHere)
  if (late) {
    // On a slow phone making them and asking for them are long enough to be two tasks.
    await new Promise((resolve) => setTimeout(resolve))
    // One that does not come stays away; the others are shown.
    await Promise.allSettled(faces.filter(isDrawnEverywhere).map((face) => face.load()))
    below = [...document.querySelectorAll<HTMLElement>('section,footer')].filter(
      (section) => section.getBoundingClientRect().top > innerHeight,
    )
    leaveOutBelow()
  }
  // What would push the page about is only fetched: the browser has it on the next page.
  for (const face of faces) if (!late || face.display !== 'optional') document.fonts.add(face)
  while (below[0]) {
    await new Promise((resolve) => setTimeout(resolve, TWO_FRAMES))
    below.shift()?.removeAttribute('style')
  }
}

/** The basic characters of each, and those of the sans with ₹. */
const isDrawnEverywhere = ({ family, unicodeRange }: FontFace): boolean =>
  /^U\+0*20-/i.test(unicodeRange) || family.includes('Anek')

/** The faces in a sheet that applies to nothing. */
function facesOf(element: Element | null, standInsFitHere: boolean): FontFace[] {
  // In the dev server they are shown from the beginning.
  if (!(element instanceof HTMLStyleElement)) return []
  return [...(element.sheet?.cssRules ?? [])].flatMap((rule) => {
    if (!(rule instanceof CSSFontFaceRule)) return []
    const valueOf = (name: string): string => rule.style.getPropertyValue(name)
    const family = valueOf('font-family').replaceAll('"', '')
    const descriptors = {
      style: valueOf('font-style') || undefined,
      weight: valueOf('font-weight'),
      unicodeRange: valueOf('unicode-range'),
      display: standInsFitHere || family.includes('Eczar') ? 'swap' : 'optional',
      sizeAdjust: valueOf('size-adjust') || undefined,
    } as const
    // All browsers know `sizeAdjust`, TypeScript's library does not.
    return [new FontFace(family, valueOf('src'), descriptors as FontFaceDescriptors)]
  })
}

/** Whether both families have one that stands in for them on this machine. */
async function standInsFit(): Promise<boolean> {
  const standIns = [...document.fonts].filter(
    ({ family, style, weight }) =>
      family.includes('Fallback') && style === 'normal' && weight.startsWith('400'),
  )
  const fit = (): boolean =>
    ['Newsreader', 'Anek'].every((name) =>
      standIns.some(({ family, status }) => status === 'loaded' && family.includes(name)),
    )
  // Those that are drawn are loaded. One that is not on the machine rejects; each of them is slow to look for.
  if (!fit()) await Promise.allSettled(standIns.map((face) => face.load()))
  return fit()
}
