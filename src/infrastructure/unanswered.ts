import { within } from '#application/kernel/within.ts'
import { EngineAway } from '#application/kernel/ports/event-store.ts'

/** Whoever asks how the site stands waits no longer than this for one engine, in ms. */
const timeoutMs = 2_000

/** An engine that can be asked for a sign of life. */
export interface Asked {
  /** as people call it, at the beginning of a sentence */
  readonly name: string
  readonly ping: () => Promise<unknown>
}

const wordsFor = (reason: unknown): string =>
  reason instanceof EngineAway ? reason.message : 'A server gave an answer that cannot be understood'

const answerOf = ({ name, ping }: Asked): Promise<string | null> =>
  within(
    ping().then(() => null, wordsFor),
    timeoutMs,
    () => `${name} does not answer within ${timeoutMs / 1_000} seconds`,
  )

/** Asks all engines at once. @returns for each that does not answer in time, or not well, a sentence for people */
export const unansweredOf = async (asked: readonly Asked[]): Promise<readonly string[]> => {
  const answers = await Promise.all(asked.map(answerOf))
  return answers.filter((answer) => answer !== null)
}
