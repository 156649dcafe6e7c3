import type { RecordedEvent } from '#application/kernel/ports/event-store.ts'
import type { EffectLedger } from '#application/kernel/ports/job-queue.ts'
import type { Reactions } from './reaction.ts'

/*
 * While an update runs, and after a way back, an older version meets events that only a newer one knows. It cannot tell what
 * follows from them, and must not wait for who can, who may never come: it goes on, and leaves word.
 */

const passedOverKey = 'jobs-passed-over'

/** In which form an event is. */
export type Form = Pick<RecordedEvent, 'type' | 'schemaVersion'>

interface Ports {
  readonly effects: Pick<EffectLedger, 'find' | 'replace'>
  readonly reactions: Pick<Reactions, 'knows'>
}

const passedOver = async ({ effects }: Pick<Ports, 'effects'>): Promise<readonly Form[]> =>
  // As it is written below.
  JSON.parse((await effects.find(passedOverKey))?.detail ?? '[]') as readonly Form[]

const note = ({ effects }: Pick<Ports, 'effects'>, forms: readonly Form[]): Promise<void> =>
  effects.replace(passedOverKey, 'done', JSON.stringify(forms))

const nameOf = ({ type, schemaVersion }: Form): string => `${type} ${schemaVersion}`

/** Notes which of these are not known here, for the version that knows them; to be done before they count as read. */
export const notePassedOver = async (ports: Ports, events: readonly Form[]): Promise<void> => {
  const unknown = events.filter((event) => !ports.reactions.knows(event))
  if (unknown.length === 0) return
  const before = await passedOver(ports)
  const forms = new Map(before.map((form) => [nameOf(form), form]))
  for (const { type, schemaVersion } of unknown)
    forms.set(nameOf({ type, schemaVersion }), { type, schemaVersion })
  if (forms.size > before.length) await note(ports, [...forms.values()])
}

/** Whether events were passed over that are known here. */
export const isKnownByNow = async (ports: Ports): Promise<boolean> =>
  (await passedOver(ports)).some(ports.reactions.knows)

/** To be done once all that follows from those that are known here is queued. */
export const forgetKnown = async (ports: Ports): Promise<void> =>
  note(
    ports,
    (await passedOver(ports)).filter((form) => !ports.reactions.knows(form)),
  )
