import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Images } from '#application/ports/images.ts'
import { helperProcess, type AskOptions, type HelperOptions } from './helper-process.ts'
import type { Task, TaskKind, Tasks } from './protocol.ts'

const uploadFormats = ['jpeg', 'png'] as const

/** sha-256 of a file as 64 hex digits, read in pieces. */
const hashOf = async (path: string): Promise<string> => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** Images worked on in a helper process that runs only while there is something to do. */
export const openImages = (options: HelperOptions = {}): Images => {
  const helper = helperProcess(options)
  const ask = async <Kind extends TaskKind>(
    kind: Kind,
    about: Tasks[Kind]['ask'],
    askOptions?: AskOptions,
  ): Promise<Tasks[Kind]['answer']> =>
    // The protocol pairs each kind with its question and answer, which the union type cannot follow.
    (await helper.ask({ kind, ask: about } as Task, askOptions)) as Tasks[Kind]['answer']

  return {
    warm: helper.warm,
    first: async (path, { accept = uploadFormats, ofStranger = false } = {}) => {
      const [look, hash] = await Promise.all([
        ask('first', { path, accept }, { asker: ofStranger ? 'nobody' : 'owner' }),
        hashOf(path),
      ])
      return { ...look, hash }
    },
    variants: (path, { into, onProgress, signal }) =>
      ask('variants', { path, into }, { signal, onStep: onProgress }),
    check: (path) => ask('check', { path }),
    card: (content) => ask('card', content, { asker: 'visitor' }),
    qr: (text) => ask('qr', { text }, { asker: 'visitor' }),
    close: helper.close,
  }
}
