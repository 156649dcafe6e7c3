import type { RecordedEvent } from '#application/kernel/ports/event-store.ts'
import type { EffectLedger } from '#application/kernel/ports/job-queue.ts'
import { queueAnew } from './queue-anew.ts'
import type { Reactions } from './reaction.ts'

/*
 * While an update runs, and after a way back, the reactor of an older version meets events that only a newer one knows. It cannot
 * tell what follows from them, and must not wait for who can, who may never come.
 */

const passedOverKey = 'jobs-passed-over'

/** In which forms events were passed over. */
type Form = readonly [type: string, schemaVersion: number]

interface Ports {
  readonly effects: Pick<EffectLedger, 'find' | 'replace'>
  readonly reactions: Reactions
}

const passedOver = async ({ effects }: Pick<Ports, 'effects'>): Promise<readonly Form[]> =>
  // As it is written below.
  JSON.parse((await effects.find(passedOverKey))?.detail ?? '[]') as readonly Form[]

const note = ({ effects }: Pick<Ports, 'effects'>, forms: readonly Form[]): Promise<void> =>
  effects.replace(passedOverKey, 'done', JSON.stringify(forms))

/** Notes which of these events are not known here, for the version that knows them; to be done before the reactor's place moves. */
export const notePassedOver = async (ports: Ports, events: readonly RecordedEvent[]): Promise<void> => {
  const unknown = events.filter((event) => !ports.reactions.knows(event))
  if (unknown.length === 0) return
  const before = await passedOver(ports)
  const forms = new Map(before.map((form) => [form.join(' '), form]))
  for (const { type, schemaVersion } of unknown) forms.set(`${type} ${schemaVersion}`, [type, schemaVersion])
  if (forms.size > before.length) await note(ports, [...forms.values()])
}

/** Queues the unfinished work anew where events were passed over that are known here. */
export const queuePassedOver = async (
  ports: Ports & Parameters<typeof queueAnew>[0],
  signal: AbortSignal,
): Promise<void> => {
  const forms = await passedOver(ports)
  const left = forms.filter(([type, schemaVersion]) => !ports.reactions.knows({ type, schemaVersion }))
  if (left.length === forms.length) return
  await queueAnew(ports, signal)
  // Last: whoever is stopped before begins again, and the same jobs change nothing.
  await note(ports, left)
}
