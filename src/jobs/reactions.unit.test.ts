import { describe, expect, it } from 'vitest'
import { journalCopier } from '#application/images/journal-copier.ts'
import type { LoggedEvent } from '#application/kernel/codec.ts'
import type { Position } from '#application/kernel/ports/event-store.ts'
import type { DomainEvent } from '#domain/events.ts'
import { reactions } from './reactions.ts'

const logged = (stream: string, event: DomainEvent): LoggedEvent => ({
  ...event,
  id: 'event-1',
  stream,
  revision: 0,
  // Only the log makes positions; a test may stand in for it.
  position: '0001' as Position,
  occurredAt: '2026-01-01T00:00:00.000Z',
  meta: { correlationId: 'c', causationId: 'c', commandId: 'c', actor: { kind: 'visitor' } },
})

const artwork = (source: 'own' | 'copying' | 'link') =>
  logged('artwork-7', {
    type: 'ArtworkPictureReplaced',
    data: {
      from: { imageUrl: 'a', source: 'own', hash: 'a' },
      to: { imageUrl: 'https://b.example/b.jpg', source, hash: null },
    },
  })

describe('reactions', () => {
  const data = {
    hash: 'h',
    format: 'png',
    bytes: 1,
    width: 1,
    height: 1,
    placeholder: '',
    color: '',
  } as const

  it('keep what a blog has sent out of the way of her own', () => {
    const uploaded = logged('image-h', { type: 'ImageUploaded', data })
    const sent = (name: string): LoggedEvent => ({
      ...uploaded,
      meta: { ...uploaded.meta, actor: { kind: 'system', name } },
    })
    expect(reactions.to(sent(journalCopier)).map(({ name }) => name)).toEqual(['process-journal-image'])
    expect(reactions.to(sent('copy-pictures')).map(({ name }) => name)).toEqual(['process-image'])
  })

  it('make the variants of an uploaded picture, under an id made of handler and event', () => {
    expect(reactions.to(logged('image-h', { type: 'ImageUploaded', data }))).toEqual([
      { id: 'process-image-event-1', name: 'process-image', data: { hash: 'h', correlationId: 'c' } },
    ])
    const again = logged('image-h', { type: 'ImageReprocessingRequested', data: { hash: 'h' } })
    expect(reactions.to(again)).toEqual([
      { id: 'process-image-event-1', name: 'process-image', data: { hash: 'h', correlationId: 'c' } },
    ])
  })

  it('copy a picture that is still shown from another site', () => {
    expect(reactions.to(artwork('copying'))).toEqual([
      {
        id: 'copy-artwork-picture-event-1',
        name: 'copy-artwork-picture',
        data: { artworkId: '7', sourceUrl: 'https://b.example/b.jpg', correlationId: 'c' },
      },
    ])
  })

  it.each([
    ['imageUrl', 'https://b.example/b.jpg', 1],
    ['imageUrl', '/images/own.jpg', 0],
    ['imageUrl', null, 0],
    ['title', 'https://b.example/', 0],
  ] as const)('copy what she shows with a post from elsewhere: %s %s', (field, to, jobs) => {
    const data = { field, from: null, to }
    const found = reactions.to(logged('blogPost-p', { type: 'BlogPostOverridden', data }))
    expect(found.map(({ name }) => name)).toEqual(Array.from({ length: jobs }, () => 'copy-journal-pictures'))
  })

  it('leave a picture of our own alone', () => {
    expect(reactions.to(artwork('own'))).toEqual([])
  })

  it('mail an enquiry by its id and nothing else', () => {
    const message = logged('message-9', {
      type: 'MessageReceived',
      data: { subject: 'general', artworkId: null, sealed: 'secret' },
    })
    expect(reactions.to(message)).toEqual([
      { id: 'mail-enquiry-event-1', name: 'mail-enquiry', data: { messageId: '9', correlationId: 'c' } },
    ])
  })

  it('run a sync that was started', () => {
    const started = logged('blog-sync', {
      type: 'BlogSyncStarted',
      data: { runId: 'r', blogUrl: 'https://b.example', trigger: 'owner' },
    })
    expect(reactions.to(started)).toMatchObject([
      { name: 'sync-blog', data: { runId: 'r', correlationId: 'c' } },
    ])
  })

  it('do nothing for other events', () => {
    expect(reactions.to(logged('message-9', { type: 'MessageMarkedRead', data: {} }))).toEqual([])
  })
})
