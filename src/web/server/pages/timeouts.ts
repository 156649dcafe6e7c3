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
