import { servedForMs, type ViewDefinition } from '#application/kernel/ports/documents.ts'
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
  return {
    /** Says that these views are read here. @returns the other versions of them that are read somewhere */
    serve: (views: readonly ViewDefinition[]): Promise<readonly ViewDefinition[]> =>
      ask(async () => {
        const _id = views.map(viewKey).join(' ')
        const mine = await served.findOneAndUpdate(
          { _id },
          { $currentDate: { servedAt: true } },
          { upsert: true, returnDocument: 'after' },
        )
        // All times are of one clock, by which mine is now.
        const since = new Date((mine?.servedAt.getTime() ?? 0) - servedForMs)
        const others = await served.find({ _id: { $ne: _id }, servedAt: { $gt: since } }).toArray()
        const keys = new Set(others.flatMap((other) => other._id.split(' ')))
        return views.flatMap((view) =>
          [...keys].flatMap((key) => {
            const version = versionIn(view, key)
            return version === null || version === view.version ? [] : [{ ...view, version }]
          }),
        )
      }),
  }
}
