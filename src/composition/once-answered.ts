import type { Logger } from '#application/kernel/ports/logger.ts'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import { rarely } from '#application/kernel/rarely.ts'
import { retry } from '#application/kernel/retry.ts'
import type { ServerKind } from '#infrastructure/cluster/greetings.ts'
import type { Config } from '#infrastructure/config/config.ts'

/** What `EngineAway` says is away when a server is that may come. */
const onServers: Readonly<Record<ServerKind, true>> = { log: true, mongodb: true, redis: true }

/** A folder that cannot be written will not mend itself, as a server that starts does. */
const comesBack = (error: unknown): error is EngineAway =>
  error instanceof EngineAway && Object.hasOwn(onServers, error.engine)

/**
 * A step of the start, taken again until the servers answer: one that is away or slow ends no start.
 * @param step leaves nothing behind where it fails, or goes on where it was cut off
 * @param retryMs between two tries at most, 2,000 unless a test says otherwise
 * @throws what is no server's silence, and the signal's reason when aborted
 */
export const onceAnswered = <T>(
  step: () => Promise<T>,
  options: {
    readonly config: Config
    readonly log: Pick<Logger, 'warn'>
    readonly signal?: AbortSignal
    readonly onWait?: (words: string) => void
  },
  retryMs = 2_000,
): Promise<T> => {
  const troubles = rarely(options.log)
  const warningStep = async (): Promise<T> => {
    try {
      return await step()
    } catch (error) {
      if (comesBack(error)) {
        const { awayInWords } = await import('#infrastructure/cluster/why-away.ts')
        const words = `The start waits for a server. ${await awayInWords(options.config, error)}`
        options.onWait?.(words)
        troubles.wrong(words, { retryInMs: retryMs }, words)
      }
      throw error
    }
  }
  return retry(warningStep, {
    firstMs: retryMs,
    longestMs: retryMs,
    signal: options.signal ?? new AbortController().signal,
    isFinal: (error) => !comesBack(error),
    onFailure: () => {},
  })
}
