/** The strip's gaps and least widths on a phone, in pixels at a root size of 16 (hang.module.css). */
const PHONE = { content: 335, viewport: 375, gap: 17, row: 128, least: 104 }
/** How much of a laptop's width the page's content takes. */
const LAPTOP_CONTENT = 0.9

/** Splits ratios into the lines into which a phone's flex box breaks them. */
function phoneLines(ratios: readonly number[]): number[][] {
  const lines: number[][] = []
  let free = 0
  for (const ratio of ratios) {
    const basis = Math.max(ratio * PHONE.row, PHONE.least)
    const line = lines.at(-1)
    if (line && basis + PHONE.gap <= free) {
      line.push(ratio)
      free -= basis + PHONE.gap
    } else {
      lines.push([ratio])
      free = PHONE.content - basis
    }
  }
  return lines
}

/**
 * The `sizes` of each image in the featured strip, computed as the layout computes them, so that the first
 * view loads no more than it shows: one line on a laptop, filled lines on a phone.
 * @param ratios width over height of each artwork, in order
 */
export function stripSizes(ratios: readonly number[]): string[] {
  const sum = ratios.reduce((total, ratio) => total + ratio, 0)
  const phone = phoneLines(ratios).flatMap((line) => {
    const inLine = line.reduce((total, ratio) => total + ratio, 0)
    const content = PHONE.content - PHONE.gap * (line.length - 1)
    return line.map((ratio) => ((ratio / Math.max(inLine, 1)) * content) / PHONE.viewport)
  })
  return ratios.map((ratio, index) => {
    const onPhone = Math.round((phone[index] ?? 1) * 100)
    const share = Math.round((ratio / sum) * LAPTOP_CONTENT * 100)
    return `(max-width: 44rem) ${onPhone}vw, min(${share}vw, ${Math.round(ratio * 58)}vh)`
  })
}
