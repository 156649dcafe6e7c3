import { keysOf } from '#domain/field-rules.ts'
import { type MessageEvent, messageEvents } from '#domain/messages/events.ts'
import { messageDecider, type PresentMessage } from '#domain/messages/message.ts'
import { idOfStream } from '#domain/event.ts'
import type { Projection, ViewDocument } from '../runtime/projection.ts'

/**
 * One visitor's message. Who wrote and what stands only in `sealed`, as it does in the event: without the
 * message's key nobody can read it. An erased message has no document.
 */
export interface MessageDoc extends ViewDocument, Omit<PresentMessage, 'status'> {
  readonly mailRefusal: string | null
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
    const { position, occurredAt } = event
    const next = messageDecider.evolve(
      doc === null ? { status: 'none' } : { ...doc, status: 'present' },
      event,
    )
    if (next.status !== 'present') return null
    const { subject, artworkId, sealed, isRead, mail, version } = next
    const refused = event.type === 'EnquiryMailRefused' ? event.data.reason : (doc?.mailRefusal ?? null)
    return {
      subject,
      artworkId,
      sealed,
      id,
      position,
      isRead,
      mail,
      mailRefusal: mail === 'sent' ? null : refused,
      version,
      createdAt: doc?.createdAt ?? occurredAt,
      arrival: doc?.arrival ?? position,
    }
  },
}
