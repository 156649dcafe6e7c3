/** How the views stand divided, as one of those who divide them sees it. */
export interface Division {
  /** all there are, in an order that is the same for everybody */
  readonly views: readonly string[]
  /** who leads each; one that nobody leads is left out */
  readonly leaders: ReadonlyMap<string, string>
  readonly me: string
  /** how many processes project these views, this one among them */
  readonly projectors: number
}

/** What one of them does now. */
export interface Share {
  readonly giveBack: readonly string[]
  /** free ones, of which it may lead up to `most` in all */
  readonly take: readonly string[]
  readonly most: number
}

/**
 * Nobody leads more views than the views divided by the processes that project, rounded up: what is above that is given
 * back, the last ones first, and what is free is taken up to it. So views move only when a process comes or goes.
 */
export const shareOf = ({ views, leaders, me, projectors }: Division): Share => {
  const most = Math.ceil(views.length / Math.max(1, projectors))
  const mine = views.filter((view) => leaders.get(view) === me)
  const isFull = mine.length >= most
  return { giveBack: mine.slice(most), take: isFull ? [] : views.filter((view) => !leaders.has(view)), most }
}

/**
 * Who leads which view, as one of them sees it that has looked at the leases: of itself it knows better. What it has given
 * back may still look as if it led it, and what it took a moment ago as if nobody did.
 * @param led by itself
 * @param found what the leases say
 */
export const leadersSeenBy = (
  me: string,
  led: Iterable<string>,
  found: ReadonlyMap<string, { readonly holder: string }>,
): ReadonlyMap<string, string> => {
  const others = [...found].flatMap(([view, { holder }]) => (holder === me ? [] : [[view, holder] as const]))
  return new Map([...others, ...[...led].map((view) => [view, me] as const)])
}
