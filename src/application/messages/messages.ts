import { type Application, type Done, dispatch } from '#application/app.ts'
import type { CommandContext } from '#application/envelope.ts'
import { StaleVersion } from '#application/execute.ts'
import { createdId } from '#application/ids.ts'
import type { MessageSubject } from '#domain/messages/events.ts'
import { message, messageStream } from '#domain/messages/message.ts'

/** What is personal in a message; stands in the log only sealed under the message's own key (decisions 76). */
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

/** Keeps a visitor's message: first its key, durably, then the event with the sealed text. */
export const receiveMessage = async (
  app: Application,
  input: MessageInput,
  context: CommandContext,
): Promise<Done> => {
  const id = createdId(context.commandId, 'message')
  const personal: PersonalText = { name: input.name, email: input.email, message: input.message }
  const sealed = await app.keyVault.seal(id, JSON.stringify(personal))
  return dispatch(app, id, {
    stream: messageStream(id),
    decider: message,
    command: { type: 'ReceiveMessage', subject: input.subject, artworkId: input.artworkId, sealed },
    context,
    expectedVersion: null,
  })
}

/** Marks a message read; there is no way back. @throws {Refusal} `missing` */
export const markMessageRead = (
  app: Application,
  id: string,
  expectedVersion: number | null,
  context: CommandContext,
): Promise<Done> =>
  dispatch(app, id, {
    stream: messageStream(id),
    decider: message,
    command: { type: 'MarkRead' },
    context,
    expectedVersion,
  })

/**
 * Erases a message for good. The key goes first: a crash in between leaves a message that nobody can read
 * and no list shows, and that can be erased again; never one that was promised erased and can be read.
 * @throws {Refusal} `missing`; {@link StaleVersion}, then nothing is erased
 */
export const eraseMessage = async (
  app: Application,
  id: string,
  expectedVersion: number | null,
  context: CommandContext,
): Promise<Done> => {
  const state = await app.executor.load(messageStream(id), message)
  // One that is gone is missing below, unless this very command has erased it and is sent again.
  if (state.status === 'present') {
    const version = message.versionOf(state, { type: 'Erase' }) ?? 0
    if (expectedVersion !== null && expectedVersion !== version)
      throw new StaleVersion(expectedVersion, version)
    await app.keyVault.erase(id)
  }
  return dispatch(app, id, {
    stream: messageStream(id),
    decider: message,
    command: { type: 'Erase' },
    context,
    expectedVersion: null,
  })
}
