/** The engines said nothing for as long as an older answer may wait. */
class EnginesSilent extends Error {
  override readonly name = 'EnginesSilent'
}

/** Begins to count a request's timeout; every answer of the engines is heard until it is used up. */
export const startSilence = (timeoutMs: number) => {
  const { promise: silent, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new EnginesSilent(`The engines were silent for ${timeoutMs} ms`)),
    timeoutMs,
  )
  // Nobody may be listening when the time is up.
  silent.catch(() => undefined)
  return {
    orSilent: <T>(answer: T | Promise<T>): Promise<T> => Promise.race([answer, silent]),
    end: () => clearTimeout(timer),
  }
}

/** Says yes so many times in each stretch of time. */
export const budget = (most: number, windowMs: number): (() => boolean) => {
  let [began, spent] = [0, 0]
  return () => {
    const now = performance.now()
    if (now - began >= windowMs) [began, spent] = [now, 0]
    spent += 1
    return spent <= most
  }
}

/** A version that cannot be asked for is treated like one that does not answer. */
export const askVersion = (versions: () => string | Promise<string>): string | Promise<string> => {
  try {
    return versions()
  } catch (error) {
    return Promise.reject(error)
  }
}
