import type { Done } from '../kernel/execute.ts'
import type { CommandContext } from '../kernel/envelope.ts'
import { manyStreams, type ManyStreams } from '../kernel/many-streams.ts'
import { isSet, type Past, type PastCommand, pastsOf, type Stores, type UndoneModule } from './past.ts'
import type { DomainEvent } from '#domain/events.ts'
import { Refusal } from '#domain/refusal.ts'

/** What an undo left as it is, and why. */
export interface Skipped {
  readonly subjectId: string
  readonly sentence: string
}

/** Whether it changed more than one thing; the texts of the site are one. */
const isMany = (pasts: readonly Past[]): boolean => {
  const things = pasts.map(({ module, parts }) => (module === 'site-content' ? 1 : parts.length))
  return things.reduce((sum, count) => sum + count, 0) > 1
}

const lowerFirst = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1)

/** How often the parts of a stream are judged anew when one of them changes in this very moment. */
const rounds = 5

const takeBackParts = async (past: Past, many: ManyStreams): Promise<void> => {
  const parts = past.parts.filter((part) => !past.isBack(part))
  for (let round = 1; ; round += 1) {
    const events: DomainEvent[] = []
    for (const part of parts) if ((await past.refusalOf(part)) === null) events.push(...part.events)
    if (events.length === 0) return
    try {
      await past.send(many, events)
      return
    } catch (error) {
      if (!(error instanceof Refusal) || round === rounds) throw error
    }
  }
}

/**
 * Takes back what one command did, by new events that restore the earlier values. What changed
 * one thing is taken back whole or not at all. What changed many is taken back stream by stream: whatever was
 * changed since stays as it is ({@link leftAsIs} names it), and asked again it goes on where it stopped.
 * @throws {Refusal} `blocked` when the one thing was changed since, or it can never be undone
 */
export const undoCommand = async (app: Stores, past: PastCommand, context: CommandContext): Promise<Done> => {
  const pasts = await pastsOf(app, past)
  const [only] = pasts
  // By its cause an undo is known again when it is asked for a second time.
  const caused = { ...context, causationId: past.commandId }
  if (only !== undefined && !isMany(pasts)) return only.dispatch(caused)
  const many = manyStreams(app, caused)
  // Entries last: whether works are filed under them is known when those have gone or come back.
  for (const each of pasts.toSorted(
    (one, other) => Number(isSet(one.module)) - Number(isSet(other.module)),
  )) {
    for (const { meta, position, type, stream } of each.recorded)
      if (meta.commandId === context.commandId) many.count(stream, { position, written: [type] })
    await takeBackParts(each, many)
  }
  return many.done(past.commandId)
}

/** What a command changed, for the answer: one thing, by module and id, or many. */
export const undoneBy = async (
  app: Stores,
  past: PastCommand,
): Promise<{ readonly module: UndoneModule; readonly subjectId: string } | 'many'> => {
  const pasts = await pastsOf(app, past)
  const [only] = pasts
  return only === undefined || isMany(pasts) ? 'many' : { module: only.module, subjectId: only.subjectId }
}

/** What an undo of a command that changed many things leaves as it is, each with a sentence for the owner. */
export const leftAsIs = async (app: Stores, past: PastCommand): Promise<readonly Skipped[]> => {
  const skipped: Skipped[] = []
  for (const each of await pastsOf(app, past))
    for (const part of each.parts) {
      if (each.isBack(part)) continue
      const refusal = await each.refusalOf(part)
      if (refusal === null) continue
      skipped.push({
        subjectId: isSet(each.module) ? part.key : each.subjectId,
        sentence: `${await each.nameOf(part)} stays as it is: ${lowerFirst(refusal.message)}`,
      })
    }
  return skipped
}
