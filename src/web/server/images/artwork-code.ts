import { LRUCache } from 'lru-cache'
import { encode } from 'uqr'

const QUIET_ZONE = 4
/** A code is 5 kB. */
const MOST_KEPT = 1_000

/** A QR code as an SVG, dark on white whatever the page's colours are: one path, a run of dark modules at a time. */
export function codeAsSvg(text: string): string {
  const { size, data } = encode(text, { ecc: 'M', boostEcc: false, border: QUIET_ZONE })
  const runs = data.flatMap((row, y) =>
    [
      ...row
        .map((dark) => (dark ? '1' : '0'))
        .join('')
        .matchAll(/1+/g),
    ].map(({ index, 0: { length } }) => `M${index} ${y}h${length}v1h-${length}z`),
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${runs.join('')}"/></svg>`
}

/** The same, drawn once for each text. */
export const keepSvgCodes = (): ((text: string) => string) => {
  const kept = new LRUCache<string, string>({ max: MOST_KEPT })
  return (text) => {
    const code = kept.get(text) ?? codeAsSvg(text)
    kept.set(text, code)
    return code
  }
}
