import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { checkedKey, type FileStore } from '../kernel/ports/files.ts'

const bytesOf = async (source: Readable | Uint8Array): Promise<Uint8Array> =>
  source instanceof Uint8Array ? source : buffer(source)

/**
 * Files in memory.
 * @param kept what is there, by key
 * @param bytesAt what stands at a path of this machine
 */
export const memoryFiles = (
  kept = new Map<string, Uint8Array>(),
  bytesAt: (path: string) => Promise<Uint8Array> = readFile,
): FileStore => {
  const put = async (key: string, source: Readable | Uint8Array): Promise<void> => {
    checkedKey(key)
    const bytes = await bytesOf(source)
    if (!kept.has(key)) kept.set(key, bytes)
  }
  const size = async (key: string): Promise<number | null> => kept.get(checkedKey(key))?.length ?? null
  return {
    put,
    putFile: async (key, path) => {
      checkedKey(key)
      await put(key, await bytesAt(path))
    },
    replace: async (key, source) => {
      checkedKey(key)
      kept.set(key, await bytesOf(source))
    },
    open: async (key, { start, end } = { start: 0, end: Number.POSITIVE_INFINITY }) => {
      const bytes = kept.get(checkedKey(key))
      return bytes === undefined
        ? null
        : { size: bytes.length, stream: Readable.from([bytes.subarray(start, end)]) }
    },
    size,
    readableBytes: size,
    list: async (prefix) => [...kept.keys()].filter((key) => key.startsWith(prefix)),
    move: async (from, to) => {
      const file = kept.get(checkedKey(from))
      checkedKey(to)
      if (file === undefined) return
      kept.delete(from)
      kept.set(to, file)
    },
    remove: async (keys) => {
      for (const key of keys) kept.delete(checkedKey(key))
    },
    sweep: async () => 0,
    room: async () => null,
  }
}
