/**
 * Does a piece of work once for all who ask for it at the same time, by its name. Who asks after it has ended, well or
 * not, has it done again.
 */
export const sharedWork = <Result>() => {
  const underWay = new Map<string, Promise<Result>>()
  return (name: string, work: () => Promise<Result>): Promise<Result> => {
    const known = underWay.get(name)
    if (known) return known
    const begun = work().finally(() => underWay.delete(name))
    underWay.set(name, begun)
    return begun
  }
}
