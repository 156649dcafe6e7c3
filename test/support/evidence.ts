import { isDeepStrictEqual } from 'node:util'
import type { Documents } from '#application/kernel/ports/documents.ts'
import type { EventStore, Json, Position, RecordedEvent } from '#application/kernel/ports/event-store.ts'
import { allProjections } from '#projections/all-projections.ts'

/** What of `wanted` is not there, and what is there more often than wanted. */
export const compared = (wanted: readonly string[], found: readonly string[]) => {
  const all = new Set(found)
  return { lost: wanted.filter((each) => !all.has(each)).length, doubled: found.length - all.size }
}

/** The documents that stand otherwise in one place than in another, each with its fields that differ, as text. */
export const differences = async (served: Documents, replayed: Documents): Promise<readonly string[]> => {
  const byId = async (documents: Documents): Promise<ReadonlyMap<string, Readonly<Record<string, Json>>>> => {
    const views = allProjections.map(async ({ view }) =>
      (await documents.find(view, {})).map((doc) => [`${view.name} ${doc.id}`, doc] as const),
    )
    return new Map((await Promise.all(views)).flat())
  }
  const [one, other] = await Promise.all([byId(served), byId(replayed)])
  return [...new Set([...one.keys(), ...other.keys()])].flatMap((key) => {
    const [a, b] = [one.get(key) ?? {}, other.get(key) ?? {}]
    const fields = [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(
      (field) => !isDeepStrictEqual(a[field], b[field]),
    )
    const told = fields.map(
      (field) => `${field}: ${JSON.stringify(a[field])} for ${JSON.stringify(b[field])}`,
    )
    return told.length === 0 ? [] : `${key}, ${told.join(', ')}`
  })
}

/** All events there are, oldest first. */
export const wholeLog = async (eventStore: EventStore): Promise<readonly RecordedEvent[]> => {
  const all: RecordedEvent[] = []
  for (let after: Position | null = null; ; ) {
    const page: readonly RecordedEvent[] = await eventStore.readAll(after, 1_000)
    all.push(...page)
    const last = page.at(-1)
    if (last === undefined) return all
    after = last.position
  }
}
