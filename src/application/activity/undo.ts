import { type Done, StaleVersion } from '../kernel/execute.ts'
import type { CommandContext } from '../kernel/envelope.ts'
import { manyStreams, type ManyStreams } from '../kernel/many-streams.ts'
import { othersFirst } from '../kernel/turns.ts'
import { isSet, type UndoneModule } from './parts.ts'
import { type Past, type PastCommand, pastsOf, type Stores } from './past.ts'
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

/** How often a stream is judged anew when it changes in this very moment. */
const rounds = 5

/** Does something with what a stream holds now. @param isMoved whether an error says that it holds something else by now */
const asItIs = async <Result>(
  first: Past,
  work: (past: Past) => Promise<Result>,
  isMoved: (error: unknown) => boolean,
): Promise<Result> => {
  let past = first
  for (let round = 1; ; round += 1) {
    try {
      return await work(past)
    } catch (error) {
      if (!isMoved(error) || round === rounds) throw error
      past = await past.anew()
    }
  }
}

const isStale = (error: unknown): boolean => error instanceof StaleVersion

const takeBackParts = async (past: Past, many: ManyStreams): Promise<void> => {
  const events: DomainEvent[] = []
  for (const part of past.parts.filter((each) => !past.isBack(each))) {
    // There may be hundreds, and of what was changed since nothing waits for a disk.
    await othersFirst()
    if ((await past.refusalOf(part)) === null) events.push(...part.events)
  }
  if (events.length > 0) await past.send(many, events)
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
  if (only !== undefined && !isMany(pasts)) return asItIs(only, (now) => now.dispatch(caused), isStale)
  const many = manyStreams(app, caused)
  // Entries last: whether works are filed under them is known when those have gone or come back.
  for (const each of pasts.toSorted(
    (one, other) => Number(isSet(one.module)) - Number(isSet(other.module)),
  )) {
    for (const { meta, position, type, stream } of each.recorded)
      if (meta.commandId === context.commandId) many.count(stream, { position, written: [type] })
    await asItIs(
      each,
      (now) => takeBackParts(now, many),
      (error) => isStale(error) || error instanceof Refusal,
    )
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
      await othersFirst()
      const refusal = await each.refusalOf(part)
      if (refusal === null) continue
      skipped.push({
        subjectId: isSet(each.module) ? part.key : each.subjectId,
        sentence: `${await each.nameOf(part)} stays as it is: ${lowerFirst(refusal.message)}`,
      })
    }
  return skipped
}
