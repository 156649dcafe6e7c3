import type { Context } from 'koa'

/** Bodies of visitors that are taken in at once, in all and of one address: what is begun and not ended takes memory. */
const mostAtOnce = 500
const mostOfAddress = 50

/** One that is on its way. */
interface Begun {
  readonly address: string
  readonly letGo: () => void
}
/** The oldest first: of the process, as its memory is. */
const onTheirWay = new Set<Begun>()

/** The one that has been on its way for longest, of those that are too many with another of `address`. */
const oldestOfCrowd = (address: string): Begun | undefined => {
  const alike = [...onTheirWay].filter((each) => each.address === address)
  if (alike.length >= mostOfAddress) return alike[0]
  return onTheirWay.size >= mostAtOnce ? [...onTheirWay][0] : undefined
}

/**
 * Takes in a visitor's body. Where too many are on their way the oldest is let go: whoever only begins, from however many
 * addresses, keeps nobody from being heard.
 * @param address as it is counted
 * @returns what `take` gives
 * @throws what it throws, also where its request was let go meanwhile
 */
export const inPlace = async <T>(
  { req }: Pick<Context, 'req'>,
  address: string,
  take: () => Promise<T>,
): Promise<T> => {
  const oldest = oldestOfCrowd(address)
  if (oldest) {
    onTheirWay.delete(oldest)
    oldest.letGo()
  }
  const begun: Begun = { address, letGo: () => req.destroy() }
  onTheirWay.add(begun)
  try {
    return await take()
  } finally {
    onTheirWay.delete(begun)
  }
}
