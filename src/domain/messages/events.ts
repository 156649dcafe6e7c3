import { z } from 'zod'
import { keysOf } from '../field-rules.ts'
import { subjectWords } from './message-limits.ts'
import { event, eventWithPast, type EventOf } from '../event.ts'

const receivedV1 = z.strictObject({ subject: z.enum(keysOf(subjectWords)), sealed: z.string() })

/**
 * What can happen to a visitor's message (stream `message-<id>`). Name, e-mail and text stand only in
 * `sealed`, encrypted under the message's own key: without the key nobody can read them.
 */
export const messageEvents = {
  MessageReceived: eventWithPast(receivedV1.extend({ artworkId: z.string().nullable() }), [
    {
      // Version 1 knew no enquiries about a work.
      schema: receivedV1,
      upcast: (data: z.output<typeof receivedV1>) => ({ ...data, artworkId: null }),
    },
  ]),
  MessageMarkedRead: event(z.strictObject({})),
  MessageErased: event(z.strictObject({})),
  /** The enquiry mail was accepted by the owner's mail server. */
  EnquiryMailed: event(z.strictObject({ mailId: z.string() })),
  /** Enquiries were not mailed when it arrived: no mail server or no address was set. */
  EnquiryMailSkipped: event(z.strictObject({})),
  /** The mail could not be delivered for good; `reason` is a sentence without personal data. */
  EnquiryMailRefused: event(z.strictObject({ reason: z.string() })),
} as const
export type MessageEvent = EventOf<typeof messageEvents>
