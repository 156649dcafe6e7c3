import { EngineAway } from '#application/ports/event-store.ts'

/** Whoever asks how the site stands waits no longer than this for one engine, in ms (decisions 60). */
const patienceMs = 2_000

/** An engine that can be asked for a sign of life. */
export interface Asked {
  /** as people call it, at the beginning of a sentence */
  readonly name: string
  readonly ping: () => Promise<unknown>
}

const wordsFor = (reason: unknown): string =>
  reason instanceof EngineAway ? reason.message : 'A server gave an answer that cannot be understood'

const answerOf = async ({ name, ping }: Asked): Promise<string | null> => {
  const late = Promise.withResolvers<string>()
  const timer = setTimeout(
    late.resolve,
    patienceMs,
    `${name} does not answer within ${patienceMs / 1_000} seconds`,
  )
  try {
    return await Promise.race([ping().then(() => null, wordsFor), late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Asks all engines at once. @returns for each that does not answer in time, or not well, a sentence for people */
export const unansweredOf = async (asked: readonly Asked[]): Promise<readonly string[]> => {
  const answers = await Promise.all(asked.map(answerOf))
  return answers.filter((answer) => answer !== null)
}
