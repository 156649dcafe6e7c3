import { pause } from '#application/kernel/retry.ts'
import { EngineUnheard } from '#application/kernel/ports/event-store.ts'

/** The engines said nothing for as long as an older answer may wait. */
class EnginesSilent extends Error {
  override readonly name = 'EnginesSilent'
}

/** Engines that have answered nobody for so long are silent. */
const silentForMs = 3_000

/** Between two looks whether anybody is answered, in ms. */
const lookMs = 50

/** Whether the engines answer nobody since then: known as soon as somebody was, or has not been for long enough. */
const isSilentSince = async (since: number, heardAt: () => number): Promise<boolean> => {
  for (;;) {
    if (heardAt() > since) return false
    const leftMs = heardAt() + silentForMs - performance.now()
    if (leftMs <= 0) return true
    await pause(Math.min(leftMs, lookMs))
  }
}

/**
 * What the engines answer, unless they are silent and have let this one wait as long as it may. Slow ones are not silent, for what
 * an older answer shows may be hidden or sold by now.
 * @param heardAt when they answered anybody last, on the clock of `performance.now()`
 * @throws {EnginesSilent}; {EngineUnheard} where others are answered: no older answer goes out for that
 */
export const unlessSilent = async <T>(
  answer: T | Promise<T>,
  timeoutMs: number,
  heardAt: () => number,
): Promise<T> => {
  const askedAt = performance.now()
  const { promise: silent, reject } = Promise.withResolvers<never>()
  const listen = (forMs: number): NodeJS.Timeout =>
    setTimeout(() => {
      const leftMs = Math.max(askedAt + timeoutMs, heardAt() + silentForMs) - performance.now()
      if (leftMs > 0) timer = listen(leftMs)
      else reject(new EnginesSilent(`The engines have answered nobody for ${silentForMs / 1_000} s`))
    }, forMs)
  let timer = listen(timeoutMs)
  try {
    return await Promise.race([answer, silent])
  } catch (error) {
    if (error instanceof EngineUnheard && (await isSilentSince(performance.now(), heardAt)))
      throw new EnginesSilent(error.message)
    throw error
  } finally {
    clearTimeout(timer)
  }
}
