import { LRUCache } from 'lru-cache'
import type { Images } from '#application/images/ports/images.ts'
import type { Lane, Reader } from '../door/lane.ts'

/** A code is 3 kB. */
const mostKept = 1_000

/**
 * Payment codes by the hash in their address, each drawn once for all who ask for it.
 * @param drawing where visitors' pictures are drawn, one after the other
 */
export const keepCodes = (
  images: Pick<Images, 'qr'>,
  drawing: Lane<void>,
): ((hash: string, text: string, reader?: Reader) => Promise<Buffer>) => {
  const kept = new LRUCache<string, Buffer>({ max: mostKept })
  return async (hash, text, reader) => {
    let code = kept.get(hash)
    while (code === undefined) {
      const draw = async (): Promise<void> => {
        kept.set(hash, Buffer.from((await images.qr(text)).data))
      }
      await drawing.take(`code ${hash}`, draw, { reader })
      code = kept.get(hash)
    }
    return code
  }
}
