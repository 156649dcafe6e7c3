import type { Answered } from '../../lib/api.ts'
import { isPassing, pauseAfter } from './passing.ts'

/**
 * On servers a change may be made some time before the lists show it; it is answered with 202 then. Sent
 * again under the same key it is not made twice: the server waits anew, and answers as if it had been quick. What is
 * made is not called failed any more because a server is away meanwhile.
 * @param ask sends the call, each time with the same key
 * @param pause resolves when it is time for the next try
 * @returns the answer of a call whose change is shown
 * @throws what `ask` throws before the change was made, and what it throws for good afterwards (a session that ended)
 */
export async function untilShown<Answer>(
  ask: () => Promise<Answered<Answer>>,
  pause: (ms: number) => Promise<void> = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
): Promise<Answered<Answer>> {
  let isMade = false
  for (let tries = 0; ; tries += 1) {
    try {
      const answered = await ask()
      if (answered.status !== 202) return answered
      isMade = true
    } catch (error) {
      if (!isMade || !isPassing(error)) throw error
    }
    await pause(pauseAfter(tries))
  }
}
