const CENTIMETRES_PER_INCH = 2.54
const NUMBER = String.raw`(\d+(?:[.,]\d+)?)`
const TIMES = String.raw`\s*[×xX*]\s*`
const SIZE = new RegExp(String.raw`^\s*${NUMBER}${TIMES}${NUMBER}(?:${TIMES}${NUMBER})?\s*cm\.?\s*$`, 'i')

function inches(centimetres: string): string {
  return String(Number((Number(centimetres.replace(',', '.')) / CENTIMETRES_PER_INCH).toFixed(1)))
}

/**
 * A size that reads "a × b cm" (or "a × b × c cm") in inches, rounded to a tenth, e.g. `48 × 31.9 in`;
 * null for any other text.
 */
export function sizeInInches(dimensions: string): string | null {
  const sides = SIZE.exec(dimensions)?.slice(1).filter(Boolean)
  return sides ? `${sides.map(inches).join(' × ')} in` : null
}
