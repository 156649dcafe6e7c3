const CENTIMETRES_PER_INCH = 2.54
const NUMBER = String.raw`(\d+(?:[.,]\d+)?)`
const TIMES = String.raw`\s*[×xX*]\s*`
const SIZE = new RegExp(String.raw`^\s*${NUMBER}${TIMES}${NUMBER}(?:${TIMES}${NUMBER})?\s*cm\.?\s*$`, 'i')

/** The two or three sides, in centimetres, of a size that reads "a × b cm" or "a × b × c cm"; null for any other text. */
export function sidesIn(dimensions: string): readonly number[] | null {
  const sides = SIZE.exec(dimensions)?.slice(1).filter(Boolean)
  return sides?.map((side) => Number(side.replace(',', '.'))) ?? null
}

/** A size that {@link sidesIn} reads in inches, rounded to a tenth, e.g. `48 × 31.9 in`; null for any other text. */
export function sizeInInches(dimensions: string): string | null {
  const sides = sidesIn(dimensions)
  return sides && `${sides.map((side) => Number((side / CENTIMETRES_PER_INCH).toFixed(1))).join(' × ')} in`
}
