import { z } from 'zod'
import { messageRules, messageSubject } from '#domain/messages/rules.ts'
import { errorBody } from './errors.ts'
import { changed, defineCalls, idempotencyKey, listOf, removed } from './call.ts'
import {
  absentWhenEmpty,
  body,
  choice,
  schemaOfEach,
  id,
  idParams,
  requiredText,
  timestamp,
} from './field-schemas.ts'

/** A visitor's message as the owner sees it. `artworkId` and `artworkTitle` are empty without an artwork. */
export const contactMessage = z.strictObject({
  id: id(),
  name: z.string(),
  email: z.string(),
  subject: choice(messageSubject),
  message: z.string(),
  isRead: z.boolean(),
  artworkId: z.union([id(), z.literal('')]),
  artworkTitle: z.string(),
  /** spec M-18 */
  mail: z.enum(['off', 'waiting', 'sent', 'refused']),
  version: z.int(),
  createdAt: timestamp(),
  /** it is being erased: name, e-mail and text are empty already */
  erasing: z.literal(true).exactOptional(),
})
export type ContactMessage = z.output<typeof contactMessage>

/**
 * What a visitor sends, as JSON or as the form of the page. `website` is the honeypot: any text passes, so
 * that a trapped message is answered like every other one. `key`: the same words under the same key are one message,
 * by whichever of the two calls they come.
 */
export const newMessage = body({
  ...schemaOfEach(messageRules, requiredText),
  subject: choice(messageSubject),
  artworkId: absentWhenEmpty(z.guid('artworkId must be the id of a work').toLowerCase()),
  website: z.string('website must be text').exactOptional(),
  key: absentWhenEmpty(idempotencyKey),
  openedAt: absentWhenEmpty(
    z.iso.datetime({ offset: true, error: 'openedAt must be a time such as 2025-01-31T10:00:00Z' }),
  ),
})
export type NewMessage = z.output<typeof newMessage>

/** The same words for a stored and for a trapped message. */
const newMessageAnswer = z.strictObject({ message: z.string() })

/** Which part of the messages is listed: those before this one. */
const messageFilter = z.object({
  before: absentWhenEmpty(z.guid('before must be the id of a message').toLowerCase()),
})

export const messageCalls = defineCalls('messages', {
  sendEnquiry: {
    summary: 'Sends the artist a message',
    access: 'anyone',
    body: newMessage,
    answers: { 201: newMessageAnswer, 429: errorBody },
  },
  sendEnquiryForm: {
    summary: 'The contact form without JavaScript: back to the page, or the page with the errors',
    access: 'anyone',
    body: newMessage,
    consumes: 'form',
    produces: 'html',
    answers: { 303: null, 422: null, 429: null },
  },
  listContactMessages: {
    summary: 'The newest messages received, or those before one of them',
    query: messageFilter,
    answers: { ...listOf(contactMessage), 404: errorBody },
  },
  markMessageRead: {
    summary: 'Marks a message as read; there is no way back',
    params: idParams,
    answers: changed(contactMessage),
  },
  deleteMessage: {
    summary: 'Erases a message for good',
    params: idParams,
    answers: removed(contactMessage),
  },
})
