import type { ByteRange } from '#application/kernel/ports/files.ts'

/**
 * The one part of a file that a `Range` header asks for (RFC 9110 §14). Null: the whole file, also for what
 * is not understood, for several parts at once, and for a part of another state than the one there is.
 * @param size of the file in bytes
 * @param ifRange the header `If-Range`, empty without one; @param tag the file's
 */
export const byteRange = (
  header: string,
  size: number,
  ifRange: string,
  tag: string,
): ByteRange | 'unsatisfiable' | null => {
  if (header === '' || (ifRange !== '' && ifRange !== tag)) return null
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim()) ?? []
  if (from === undefined || to === undefined || (from === '' && to === '')) return null
  if (from === '') {
    const last = Number(to)
    return last === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - last), end: size }
  }
  const start = Number(from)
  const end = to === '' ? size : Math.min(size, Number(to) + 1)
  if (to !== '' && Number(to) < start) return null
  return start >= size ? 'unsatisfiable' : { start, end }
}
