import { createHmac, randomBytes } from 'node:crypto'
import type { KeyVault } from '../kernel/ports/key-vault.ts'

/** A vault in memory, which signs what it seals and hides it from nobody. */
export const memoryVault = (): KeyVault & { readonly keys: Map<string, Uint8Array> } => {
  const keys = new Map<string, Uint8Array>()
  const erased = new Set<string>()
  const signed = (key: Uint8Array, text: string): string =>
    `${createHmac('sha256', key).update(text).digest('base64')}.${Buffer.from(text).toString('base64')}`

  const open = async (id: string, sealed: string): Promise<string | null> => {
    const key = keys.get(id)
    if (key === undefined) return null
    const text = Buffer.from(sealed.slice(sealed.indexOf('.') + 1), 'base64').toString()
    if (signed(key, text) !== sealed) throw new Error('A sealed text cannot be opened: it was changed')
    return text
  }
  const erase = (id: string): void => {
    keys.delete(id)
    erased.add(id)
  }

  return {
    keys,
    seal: async (id, text) => {
      if (erased.has(id)) throw new Error(`${id} was erased: nothing more is sealed for it`)
      const key = keys.get(id) ?? randomBytes(32)
      keys.set(id, key)
      return signed(key, text)
    },
    open,
    openMany: (all) =>
      Promise.all(all.map(({ subjectId, sealed }) => open(subjectId, sealed).catch(() => null))),
    erase: async (id) => {
      erase(id)
      return true
    },
    erasedIds: async () => [...erased],
    takeOut: async () => ({
      keys: [...keys].map(([subjectId, key]) => ({ subjectId, key })),
      erasedIds: [...erased],
    }),
    putBack: async (contents) => {
      if (contents.keys.some(({ key }) => key.length !== 32)) throw new RangeError('A key has 32 bytes')
      for (const { subjectId, key } of contents.keys) if (!keys.has(subjectId)) keys.set(subjectId, key)
      for (const id of [...contents.erasedIds, ...erased]) erase(id)
    },
  }
}
