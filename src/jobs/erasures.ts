import type { Application } from '#application/application.ts'
import { UnreadableEvent } from '#application/kernel/codec.ts'
import { rarely, type TroubleLog } from '#application/kernel/rarely.ts'
import { reasonOf } from '#application/kernel/reason.ts'
import { again } from './runtime/again.ts'
import { eraseReturned, finishErasure } from '#application/messages/messages.ts'

/** How often the vault is asked, in ms. */
const lookEveryMs = 2_000
/** How long after all is settled it is looked once more, in ms. */
const lookOnceMoreMs = 60_000

interface ErasurePorts {
  readonly app: Application
  /** those of the erased ids whose message is listed still */
  readonly unfinished: (erasedIds: readonly string[]) => Promise<readonly string[]>
  /** Removes what else still holds keys of the erased ids. @returns false when some of it must be asked for again */
  readonly forget: (erasedIds: readonly string[], signal: AbortSignal) => Promise<boolean>
  readonly log: TroubleLog
  readonly everyMs?: number
  readonly onceMoreMs?: number
  /** ends what is under way at once, before it is stopped */
  readonly until?: AbortSignal
}

/** Finishes each that can be. @returns why the first of the others cannot: something of its message has rotted */
const finishAll = async (app: Application, ids: readonly string[]): Promise<UnreadableEvent | null> => {
  let rotted: UnreadableEvent | null = null
  for (const id of ids) {
    try {
      await finishErasure(app, id)
    } catch (error) {
      if (!(error instanceof UnreadableEvent)) throw error
      rotted ??= error
    }
  }
  return rotted
}

/**
 * Finishes erasures that met a long reader or lost their process, and lets the keys files of the nights forget what was
 * erased; to be started in one process at a time. Looks further only when more was erased, or something is open. At the
 * start, and when fewer are known as erased than before, the vault may be an older copy: it is compared with the log.
 * A while after all is settled it looks once more: a process that did this before, and stood still in the middle, may have put
 * a keys file back.
 */
export const startErasures = ({
  app,
  unfinished,
  forget,
  log,
  everyMs = lookEveryMs,
  onceMoreMs = lookOnceMoreMs,
  until,
}: ErasurePorts): { readonly stop: () => Promise<void> } => {
  /** how many were known as erased when all was settled last */
  let erasedWhenSettled = -1
  /** when it is looked once more, by the clock of this process; null: it was */
  let onceMoreAt: number | null = null
  /** how many were known as erased when the vault was last found in keeping with the log */
  let erasedWhenCompared: number | null = null
  /** one that is seen for the first time may be under way in a request */
  let seen: ReadonlySet<string> = new Set()
  const troubles = rarely(log)

  const look = async (signal: AbortSignal): Promise<void> => {
    let erasedIds = await app.keyVault.erasedIds()
    if (erasedWhenCompared === null || erasedIds.length < erasedWhenCompared) {
      erasedWhenCompared = null
      const traceless = await eraseReturned(app, signal)
      erasedIds = await app.keyVault.erasedIds()
      if (traceless) erasedWhenCompared = erasedIds.length
    } else erasedWhenCompared = erasedIds.length
    const isDue = onceMoreAt !== null && performance.now() >= onceMoreAt
    if (erasedIds.length === erasedWhenSettled && !isDue) return
    const open = await unfinished(erasedIds)
    const rotted = await finishAll(
      app,
      open.filter((id) => seen.has(id)),
    )
    seen = new Set(open)
    // Last: a backup that cannot be looked into must not keep an erasure from its end.
    const forgotten = await forget(erasedIds, signal)
    if (rotted !== null) throw rotted
    if (!forgotten || open.length > 0) return
    onceMoreAt = erasedIds.length === erasedWhenSettled ? null : performance.now() + onceMoreMs
    erasedWhenSettled = erasedIds.length
  }

  return again(
    async (signal) => {
      try {
        await look(signal)
        troubles.right('Nothing is in the way of erasures any more')
      } catch (error) {
        if (!signal.aborted)
          troubles.wrong(reasonOf(error), { err: error }, 'an erasure is not finished yet; trying again')
      }
      return everyMs
    },
    everyMs,
    until,
  )
}
