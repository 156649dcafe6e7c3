/**
 * What attacks on a running site share. An attack is seeded and bounded, and part of `npm test`; what it does to
 * others is judged by what they feel: `/healthz` is asked all the while.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { describe } from 'vitest'
import { describeOnServers } from '#infrastructure/cluster/testing/servers.ts'
import { type Site, startSite } from '../support/site.ts'

/** What somebody else feels of an attack. */
export interface Waiting {
  /** how often `/healthz` was asked meanwhile */
  readonly asked: number
  /** of the processor that the site's own thread took while one waited, where the system tells; else as the clock has it */
  readonly longestMs: number
}

/** Far shorter than what the attacks did: the bound of whatever must not keep others waiting, in ms. */
export const tooLongMs = 4_000

/**
 * Asks the site for `/healthz` from another thread while `attack` goes on.
 * @returns what the attack gave, and the longest that `/healthz` took
 * @throws what the attack throws; an Error when the site did not answer that it is alive
 */
export const whileAsking = async <T>(
  site: Pick<Site, 'url' | 'process'>,
  attack: () => Promise<T>,
): Promise<{ readonly result: T; readonly waiting: Waiting }> => {
  const asker = new Worker(new URL('healthz-asker.ts', import.meta.url), {
    workerData: { url: site.url, pid: site.process.pid },
  })
  const unanswered = new Promise<never>((_resolve, reject) => asker.once('error', reject))
  // Also where nobody waits for it any more.
  unanswered.catch(() => undefined)
  try {
    await once(asker, 'message')
    const result = await Promise.race([attack(), unanswered])
    const told = once(asker, 'message')
    asker.postMessage('stop')
    // The only other message of that thread.
    const [waiting] = (await told) as [Waiting]
    return { result, waiting }
  } finally {
    await asker.terminate()
  }
}

/** Starts a site for an attack; its caller stops it. @param env settings over the usual ones of a test */
export type StartSite = (env?: Readonly<Record<string, string>>) => Promise<Site>

const secret = 'a secret that only the attacked site knows'

/**
 * Defines the same attacks on the embedded engines and on the three servers, where these are there. To be awaited at
 * the top of a file.
 */
export const describeAttacks = async (title: string, suite: (start: StartSite) => void): Promise<void> => {
  describe(`${title} (embedded engines)`, () => {
    suite((env) => startSite({ env: { SECRET: secret, ...env } }))
  })
  await describeOnServers(
    `${title} (three servers)`,
    ['eventstore', 'mongodb', 'redis'],
    ({ eventstore, mongodb, redis }) => {
      let started = 0
      suite((env) => {
        started += 1
        return startSite({
          env: {
            EVENTSTORE_URL: eventstore.url,
            MONGODB_URL: mongodb.url,
            REDIS_URL: redis.url,
            NAMESPACE: `attacked-${process.pid}-${Date.now()}-${started}`,
            SECRET: secret,
            ...env,
          },
        })
      })
    },
  )
}
