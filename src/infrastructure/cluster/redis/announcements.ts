import type { Redis } from 'ioredis'
import type { Announcements } from '#application/kernel/ports/announcements.ts'
import type { Logger } from '#application/kernel/ports/logger.ts'
import { connectionTo, listeningOptions } from './connection.ts'

/** By publishing: what is said while nobody listens, or while Redis is away, is lost. */
export const openAnnouncements = (options: {
  readonly url: string
  readonly client: Redis
  readonly prefix: string
  readonly log: Logger
}): Announcements & { readonly close: () => void } => {
  const { url, client, prefix, log } = options
  const channel = `${prefix}:announcements`
  const listeners = new Set<(words: string) => void>()
  let hearing: Redis | null = null

  /** A connection that listens can do nothing else; it comes back, and listens again, by itself. */
  const hear = (): Redis => {
    const redis = connectionTo(url, listeningOptions, log, 'listening')
    redis.on('message', (_, words: string) => {
      for (const listener of listeners) listener(words)
    })
    // Said by the connection itself.
    redis.subscribe(channel).catch(() => undefined)
    return redis
  }
  return {
    announce: (words) => {
      // Whoever waits looks by himself a moment later.
      if (client.status === 'ready') client.publish(channel, words).catch(() => undefined)
    },
    onAnnounced: (listener) => {
      hearing ??= hear()
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    close: () => hearing?.disconnect(),
  }
}
