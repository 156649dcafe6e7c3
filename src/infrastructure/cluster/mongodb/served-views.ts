import { type Served, servedForMs, type ViewDefinition } from '#application/kernel/ports/documents.ts'
import { versionIn, viewKey } from '../../view-key.ts'
import type { Mongo } from './mongo.ts'

/** What is read by the web processes of one version of the program. */
interface ServedRecord {
  /** the keys of the views, one after the other */
  readonly _id: string
  /** when one of them said so last, by the clock of MongoDB */
  readonly servedAt: Date
}

/** Which versions of views are read somewhere (ADR 51). */
export const openServedViews = ({ ask, collection }: Pick<Mongo, 'ask' | 'collection'>) => {
  const served = collection<ServedRecord>('served')
  /** When this process said it last, by the same clock: others of its version may have said it while it stood still. */
  const saidAt = new Map<string, number>()
  return {
    /** Says that these views are read here. */
    serve: async (views: readonly ViewDefinition[]): Promise<Served> => {
      const _id = views.map(viewKey).join(' ')
      const { now, others } = await ask(async () => {
        const mine = await served.findOneAndUpdate(
          { _id },
          { $currentDate: { servedAt: true } },
          { upsert: true, returnDocument: 'after' },
        )
        // All times are of one clock, by which mine is now. Where it was set back, what seems to come was long ago.
        const now = mine?.servedAt.getTime() ?? 0
        const servedAt = { $gt: new Date(now - servedForMs), $lt: new Date(now + servedForMs) }
        const found = await served.find({ _id: { $ne: _id }, servedAt }).toArray()
        const keys = new Set(found.flatMap((other) => other._id.split(' ')))
        const others = views.flatMap((view) =>
          [...keys].flatMap((key) => {
            const version = versionIn(view, key)
            return version === null || version === view.version ? [] : [{ ...view, version }]
          }),
        )
        return { now, others }
      })
      // Not of one that was given up: it comes to its end behind that, and nobody hears what it found.
      const last = saidAt.get(_id)
      saidAt.set(_id, now)
      return { others, isAnew: last === undefined || Math.abs(now - last) > servedForMs }
    },
  }
}
