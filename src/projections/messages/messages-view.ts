import { keysOf } from '#domain/field-rules.ts'
import { type MessageEvent, messageEvents } from '#domain/messages/events.ts'
import type { MessageSubject } from '#domain/messages/message-limits.ts'
import { nextVersion } from '#domain/messages/message.ts'
import { idOfStream } from '#domain/event.ts'
import type { Projection, ViewDocument } from '../runtime/projection.ts'

/**
 * One visitor's message. Who wrote and what stands only in `sealed`, as it does in the event: without the
 * message's key nobody can read it. An erased message has no document.
 */
export interface MessageDoc extends ViewDocument {
  readonly sealed: string
  readonly subject: MessageSubject
  readonly artworkId: string | null
  readonly isRead: boolean
  /** what became of the enquiry mail, as far as the log knows */
  readonly mail: 'open' | 'skipped' | 'sent' | 'refused'
  readonly mailRefusal: string | null
  readonly version: number
  readonly createdAt: string
  /** position of its arrival: the order of the list */
  readonly arrival: string
}

export const messagesProjection: Projection<MessageDoc, MessageEvent['type']> = {
  view: { name: 'messages', version: 1, indexes: [['arrival']] },
  models: ['contact-messages'],
  handles: keysOf(messageEvents),
  keep: 200,
  targets: ({ stream }) => ({ ids: [idOfStream(stream)] }),
  apply: (doc, event, id) => {
    const { position } = event
    if (event.type === 'MessageReceived')
      return {
        ...event.data,
        id,
        position,
        isRead: false,
        mail: 'open',
        mailRefusal: null,
        version: 1,
        createdAt: event.occurredAt,
        arrival: position,
      }
    if (doc === null) return null
    const version = nextVersion(doc.version, event.type)
    switch (event.type) {
      case 'MessageMarkedRead':
        return { ...doc, isRead: true, version, position }
      case 'MessageErased':
        return null
      case 'EnquiryMailSkipped':
        return { ...doc, mail: 'skipped', version, position }
      case 'EnquiryMailed':
        return { ...doc, mail: 'sent', mailRefusal: null, version, position }
      case 'EnquiryMailRefused':
        return { ...doc, mail: 'refused', mailRefusal: event.data.reason, version, position }
    }
  },
}
