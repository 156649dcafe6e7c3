import { messageStream } from '#domain/messages/message.ts'
import type { NeededKeys } from '../kernel/archive/needed-keys.ts'

const prefix = messageStream('')

/** The keys of all messages that were not erased, and none of those that were. */
export const neededMessageKeys: NeededKeys = {
  follow: () => {
    const open = new Map<string, string>()
    const erased = new Set<string>()
    return {
      open,
      erased,
      see: ({ type, stream, occurredAt }) => {
        const id = stream.slice(prefix.length)
        if (type === 'MessageReceived') open.set(id, occurredAt)
        if (type !== 'MessageErased') return
        open.delete(id)
        erased.add(id)
      },
    }
  },
  inWords: (lost) => {
    if (lost === null) return ''
    const { count, since } = lost
    return count === 1
      ? `1 letter, of ${since}, cannot be read: its key is lost`
      : `${count} letters, the oldest of ${since}, cannot be read: their keys are lost`
  },
  returnedInWords: (count) => {
    if (count === 0) return ''
    return count === 1
      ? '1 erased letter has its key back: an older copy of the keys was put in their place'
      : `${count} erased letters have their keys back: an older copy of the keys was put in their place`
  },
}
