import type { Logger } from '#application/kernel/ports/logger.ts'
import type { EffectLedger } from '#application/kernel/ports/job-queue.ts'
import { again } from '#jobs/runtime/again.ts'
import type { Loss } from '#infrastructure/lost-log.ts'
import { isOutage, lacksHandles } from '#application/kernel/outage.ts'
import { reasonOf } from '#application/kernel/reason.ts'
import { DiskFull, EngineAway, type EventStore } from '#application/kernel/ports/event-store.ts'

const lookEveryMs = 5_000
/** To whoever writes; what is lost stands in the log and at /readyz. */
export const notTaken = (): EngineAway =>
  new EngineAway('lost', 'Nothing can be saved just now. Please try again later')

/** What a process knows of whether its site is still whole. */
export interface LossWatch {
  /** what is lost, as it was seen last; null while all is there */
  readonly lost: () => Loss | null
  /** Looks now, which tells whoever asks. @throws what the engines throw when they do not answer */
  readonly look: () => Promise<Loss | null>
  readonly stop: () => void
}

/**
 * Looks now and then whether what this process works on was emptied or put back from an older copy under it, and says
 * so once (ADR 36). It is whole again as soon as it looks whole.
 * @param find what is lost; null when nothing is
 * @param everyMs how often, 5 s unless told
 */
export const startLossWatch = (
  find: () => Promise<Loss | null>,
  log: Pick<Logger, 'info' | 'error'>,
  everyMs = lookEveryMs,
): LossWatch => {
  let known: Loss | null = null
  const look = async (): Promise<Loss | null> => {
    const found = await find().catch((error: unknown) => {
      // Nobody can look just now: what is known stays, and readers are served.
      if (lacksHandles(error)) return known
      throw error
    })
    if (found !== null && known === null) {
      const meanwhile = found.served ? 'nothing is saved' : 'nothing is shown and nothing is saved'
      log.error({}, `${found.words}. Until then ${meanwhile}`)
    }
    if (found === null && known !== null) log.info({}, 'What was lost is there again; the site goes on')
    known = found
    return found
  }
  const watch = again(async () => {
    // What does not answer is told of elsewhere, and is not lost for that.
    await look().catch(() => undefined)
    return everyMs
  }, everyMs)
  return { lost: () => known, look, stop: () => void watch.stop() }
}

/**
 * Refuses while nothing can be recorded of what is done outside of the site, so that it is not done again and again.
 * @param of.isDiskShort whether nothing may grow now
 * @throws {EngineAway} what hinders it, in words
 */
export const refuseUnrecordable = async (of: {
  readonly loss: Pick<LossWatch, 'look'>
  readonly astray: () => Error | null
  readonly isDiskShort: () => boolean
}): Promise<void> => {
  const lost = await of.loss.look().catch((error: unknown) => {
    // Whatever hinders the look, it is no fault of what is to be done.
    throw isOutage(error) ? error : new EngineAway('lost', reasonOf(error), { cause: error })
  })
  if (lost !== null) throw notTaken()
  const astray = of.astray()
  if (astray !== null) throw astray
  if (of.isDiskShort()) throw new DiskFull()
}

/** The ledger of a process whose site may be lost: nothing is begun whose outcome could not be recorded. */
export const guardedEffects = (effects: EffectLedger, refuse: () => Promise<void>): EffectLedger => ({
  ...effects,
  started: async (...given) => {
    await refuse()
    await effects.started(...given)
    // A full disk shows when it is written to: that note may have taken of what is kept for deleting.
    await refuse()
  },
})

/**
 * The log of a process whose site may be lost: it is not written then. A log that was put back would grow past the
 * place that it once had reached, and look whole.
 */
export const guardedLog = (eventStore: EventStore, lost: () => Loss | null): EventStore => {
  const refuse = (): void => {
    if (lost() !== null) throw notTaken()
  }
  return {
    ...eventStore,
    append: async (...given) => {
      refuse()
      return eventStore.append(...given)
    },
    appendInOrder: async (...given) => {
      refuse()
      return eventStore.appendInOrder(...given)
    },
  }
}
