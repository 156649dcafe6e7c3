import type { MessageEvent } from './events.ts'
import type { MessageSubject } from './message-limits.ts'
import type { Decider } from '../decider.ts'
import { Refusal } from '../refusal.ts'

/** The stream of one message. */
export const messageStream = (id: string): string => `message-${id}`

/** A message that is there. */
export interface PresentMessage {
  readonly status: 'present'
  readonly subject: MessageSubject
  readonly artworkId: string | null
  /** name, e-mail and text, encrypted under the message's own key */
  readonly sealed: string
  readonly isRead: boolean
  /** what became of the enquiry mail, as far as the log knows */
  readonly mail: 'open' | 'skipped' | 'sent' | 'refused'
  /** counts the owner's changes; mailing never causes a 409 */
  readonly version: number
}

export type MessageState = { readonly status: 'none' } | { readonly status: 'erased' } | PresentMessage

export type MessageCommand =
  | {
      readonly type: 'ReceiveMessage'
      readonly subject: MessageSubject
      readonly artworkId: string | null
      readonly sealed: string
    }
  | { readonly type: 'MarkRead' | 'Erase' | 'RecordMailSkipped' }
  | { readonly type: 'RecordMailed'; readonly mailId: string }
  /** `reason` is a sentence without personal data. */
  | { readonly type: 'RecordMailRefused'; readonly reason: string }

/** @throws {Refusal} `missing` */
const present = (state: MessageState): PresentMessage => {
  if (state.status !== 'present') throw new Refusal('missing', 'There is no such message, or it was deleted')
  return state
}

const decide = (command: MessageCommand, state: MessageState): readonly MessageEvent[] => {
  switch (command.type) {
    case 'ReceiveMessage': {
      if (state.status !== 'none') throw new Refusal('blocked', 'This message was already received')
      const { subject, artworkId, sealed } = command
      return [{ type: 'MessageReceived', data: { subject, artworkId, sealed } }]
    }
    case 'MarkRead':
      return present(state).isRead ? [] : [{ type: 'MessageMarkedRead', data: {} }]
    case 'Erase':
      present(state)
      return [{ type: 'MessageErased', data: {} }]
    case 'RecordMailed':
      return present(state).mail === 'sent'
        ? []
        : [{ type: 'EnquiryMailed', data: { mailId: command.mailId } }]
    case 'RecordMailSkipped':
      return present(state).mail === 'open' ? [{ type: 'EnquiryMailSkipped', data: {} }] : []
    case 'RecordMailRefused':
      return present(state).mail === 'open'
        ? [{ type: 'EnquiryMailRefused', data: { reason: command.reason } }]
        : []
  }
}

/** A message that is there after an event; null: of a type that nobody knows, which says nothing. */
const after = (
  state: PresentMessage,
  event: Exclude<MessageEvent, { type: 'MessageReceived' }>,
): MessageState | null => {
  switch (event.type) {
    case 'MessageMarkedRead':
      return { ...state, isRead: true, version: state.version + 1 }
    case 'MessageErased':
      return { status: 'erased' }
    case 'EnquiryMailSkipped':
      return { ...state, mail: 'skipped' }
    case 'EnquiryMailed':
      return { ...state, mail: 'sent' }
    case 'EnquiryMailRefused':
      return { ...state, mail: 'refused' }
  }
}

const evolve = (state: MessageState, event: MessageEvent): MessageState => {
  if (event.type === 'MessageReceived')
    return { status: 'present', ...event.data, isRead: false, mail: 'open', version: 1 }
  return state.status === 'present' ? (after(state, event) ?? state) : state
}

/** One visitor's message: read once and for all, erased for good. */
export const messageDecider: Decider<MessageState, MessageCommand, MessageEvent> = {
  initialState: { status: 'none' },
  decide,
  evolve,
  versionOf: (state) => (state.status === 'present' ? state.version : null),
}

/** The message of this id. */
export const messageAggregate = (id: string) => ({ stream: messageStream(id), decider: messageDecider })
