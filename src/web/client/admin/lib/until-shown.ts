import { ApiError, type Answered } from '../../lib/api.ts'

/** Between two tries; the server itself waits some seconds for each. */
const PAUSE_MS = 250
/** About a minute: another projector has long taken over by then. */
const MOST_TRIES = 30
const LATE = JSON.stringify({ message: 'It is saved, and will be shown in a while. Please look again later' })

/**
 * On servers a change may be made some time before the lists show it; it is answered with 202 then (decisions 21). Sent
 * again under the same key it is not made twice: the server waits anew, and answers as if it had been quick.
 * @param ask sends the call, each time with the same key
 * @returns the answer of a call whose change is shown
 * @throws what `ask` throws, and an ApiError when it is not shown within a minute
 */
export async function untilShown<Answer>(
  ask: () => Promise<Answered<Answer>>,
  pauseMs: number = PAUSE_MS,
): Promise<Answer> {
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    const { status, answer } = await ask()
    if (status !== 202) return answer
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  throw new ApiError(503, 'Service Unavailable', LATE)
}
