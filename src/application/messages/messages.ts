import type { Application } from '../application.ts'
import { UnreadableEvent } from '../kernel/codec.ts'
import { type Done, dispatch, send, StaleVersion } from '../kernel/execute.ts'
import { causedBy, type CommandContext } from '../kernel/envelope.ts'
import { createdId } from '../kernel/ids.ts'
import { pause } from '../kernel/retry.ts'
import type { MessageSubject } from '#domain/messages/message-limits.ts'
import { messageAggregate, messageDecider } from '#domain/messages/message.ts'

/** What is personal in a message; stands in the log only sealed under the message's own key. */
export interface PersonalText {
  readonly name: string
  readonly email: string
  readonly message: string
}

export interface MessageInput extends PersonalText {
  readonly subject: MessageSubject
  /** the work it is about */
  readonly artworkId: string | null
}

/** Before a key is made or destroyed: its event could not be written behind it. */
const refuseHindered = ({ executor }: Pick<Application, 'executor'>): void => {
  const hindrance = executor.hindrance()
  if (hindrance !== null) throw hindrance
}

/**
 * Keeps a visitor's message: first its key, durably, then the event with the sealed text. The very same one again, under
 * its Idempotency-Key, is thanked for again and stays erased once it was.
 * @returns `isNew`: it was not there before
 */
export const receiveMessage = async (
  app: Application,
  input: MessageInput,
  context: CommandContext,
): Promise<Done & { readonly isNew: boolean }> => {
  const id = createdId(context.commandId, 'message')
  const personal: PersonalText = { name: input.name, email: input.email, message: input.message }
  refuseHindered(app)
  // Where the log does not answer no key is made, which would be left for a message that never came.
  await app.executor.load(messageAggregate(id))
  const sealed = await app.keyVault.seal(id, JSON.stringify(personal)).catch(async (error: unknown) => {
    if (!(await app.keyVault.erasedIds()).includes(id)) throw error
    return null
  })
  if (sealed === null) return { id, position: null, visible: true, isNew: false }
  const done = await dispatch(app, id, {
    ...messageAggregate(id),
    command: { type: 'ReceiveMessage', subject: input.subject, artworkId: input.artworkId, sealed },
    context,
    expectedVersion: null,
  })
  return { ...done, isNew: !done.outcome.repeated }
}

/** Marks a message read; there is no way back. @throws {Refusal} `missing` */
export const markMessageRead = (
  app: Application,
  id: string,
  expectedVersion: number | null,
  context: CommandContext,
): Promise<Done> =>
  dispatch(app, id, {
    ...messageAggregate(id),
    command: { type: 'MarkRead' },
    context,
    expectedVersion,
  })

/**
 * Erases a message for good. The key goes first: a crash in between leaves a message that nobody can read
 * and no list shows, and that can be erased again; never one that was promised erased and can be read.
 * @returns not visible while a long reader keeps a trace of the key: {@link finishErasure} goes on with it
 * @throws {Refusal} `missing`; {@link StaleVersion}, then nothing is erased
 */
export const eraseMessage = async (
  app: Application,
  id: string,
  expectedVersion: number | null,
  context: CommandContext,
): Promise<Done> => {
  const state = await app.executor.load(messageAggregate(id))
  // One that is gone is missing below, unless this very command has erased it and is sent again.
  if (state.status === 'present') {
    const version = messageDecider.versionOf(state, { type: 'Erase' }) ?? 0
    if (expectedVersion !== null && expectedVersion !== version) throw new StaleVersion()
    refuseHindered(app)
    // Nobody can read it any more; what a long reader still holds is removed in the background.
    if (!(await app.keyVault.erase(id))) return { id, position: null, visible: false }
  }
  return dispatch(app, id, {
    ...messageAggregate(id),
    command: { type: 'Erase' },
    context,
    expectedVersion: null,
  })
}

/**
 * Goes on with an erasure that was begun: one that met a long reader, or whose process ended in the middle of it.
 * @returns whether it is finished
 */
export const finishErasure = async (
  app: Pick<Application, 'keyVault' | 'executor' | 'clock'>,
  id: string,
): Promise<boolean> => {
  if (!(await app.keyVault.erase(id))) return false
  const message = messageAggregate(id)
  if ((await app.executor.load(message)).status !== 'present') return true
  const context = causedBy({ eventId: `${id} erased`, correlationId: id }, 'erasure', app.clock.now())
  await send(app, message, { type: 'Erase' }, context)
  return true
}

const keysPerTurn = 50

/** Whether the log calls a message erased; nobody knows of one of which something has rotted. */
const isErased = async (executor: Application['executor'], id: string): Promise<boolean> => {
  try {
    return (await executor.load(messageAggregate(id))).status === 'erased'
  } catch (error) {
    if (error instanceof UnreadableEvent) return false
    throw error
  }
}

/**
 * Erases again what the log calls erased and the vault has a key of: an older copy of the vault was put back.
 * @returns whether no readable trace is left of any; false: ask again later
 */
export const eraseReturned = async (
  { executor, keyVault }: Pick<Application, 'executor' | 'keyVault'>,
  signal: AbortSignal,
): Promise<boolean> => {
  let traceless = true
  const { keys } = await keyVault.takeOut()
  for (const [n, { subjectId }] of keys.entries()) {
    // An engine in this process answers within one turn of it: of 15,000 messages everybody else waited for 2 s.
    if (n % keysPerTurn === keysPerTurn - 1) await pause(0, signal)
    signal.throwIfAborted()
    if (await isErased(executor, subjectId)) traceless = (await keyVault.erase(subjectId)) && traceless
  }
  return traceless
}
