import type { Position, RecordedEvent } from '#application/kernel/ports/event-store.ts'
import type { EffectLedger } from '#application/kernel/ports/job-queue.ts'
import type { Reactions } from './reaction.ts'

/*
 * While an update runs, and after a way back, an older version meets events that only a newer one knows. It cannot tell what
 * follows from them, and must not wait for who can, who may never come: it goes on, and leaves word.
 */

const passedOverKey = 'jobs-passed-over'

/** A place in the log; empty: before its first event. */
export type Place = Position | ''

/** In which form an event is. */
export type Form = Pick<RecordedEvent, 'type' | 'schemaVersion'>

/** Behind which place events were passed over, and in which forms they are. */
interface PassedOver {
  readonly from: Place
  readonly forms: readonly Form[]
}

interface Ports {
  readonly effects: Pick<EffectLedger, 'find' | 'replace'>
  readonly reactions: Pick<Reactions, 'knows'>
}

const nothing: PassedOver = { from: '', forms: [] }

const passedOver = async ({ effects }: Pick<Ports, 'effects'>): Promise<PassedOver> => {
  const found = await effects.find(passedOverKey)
  // As it is written below.
  return found === null ? nothing : (JSON.parse(found.detail) as PassedOver)
}

const note = (effects: Pick<EffectLedger, 'replace'>, noted: PassedOver): Promise<void> =>
  effects.replace(passedOverKey, 'done', JSON.stringify(noted))

/** By which forms are told apart. */
export const nameOf = ({ type, schemaVersion }: Form): string => `${type} ${schemaVersion}`

/**
 * Notes which of these are not known here, for the version that knows them; to be done before they count as read.
 * @param from they stand behind it
 */
export const notePassedOver = async (ports: Ports, from: Place, events: readonly Form[]): Promise<void> => {
  const unknown = events.filter((event) => !ports.reactions.knows(event))
  if (unknown.length === 0) return
  const before = await passedOver(ports)
  const forms = new Map(before.forms.map((form) => [nameOf(form), form]))
  for (const { type, schemaVersion } of unknown)
    forms.set(nameOf({ type, schemaVersion }), { type, schemaVersion })
  const first = before.forms.length > 0 && before.from < from ? before.from : from
  if (forms.size > before.forms.length || first < before.from)
    await note(ports.effects, { from: first, forms: [...forms.values()] })
}

/** Behind which place there are events that are known here and were passed over; null where there are none. */
export const passedOverFrom = async (ports: Ports): Promise<Place | null> => {
  const { from, forms } = await passedOver(ports)
  return forms.some(ports.reactions.knows) ? from : null
}

/** To be done once all is queued that follows from those that are known here. */
export const forgetKnown = async (ports: Ports): Promise<void> => {
  const { from, forms } = await passedOver(ports)
  await note(ports.effects, { from, forms: forms.filter((form) => !ports.reactions.knows(form)) })
}

/** Forgets what was passed over: of a log that stands no longer there. */
export const forgetPassedOver = (effects: Pick<EffectLedger, 'replace'>): Promise<void> =>
  note(effects, nothing)
