import { describe, expect, it } from 'vitest'
import type { Position, RecordedEvent } from '#application/kernel/ports/event-store.ts'
import { domainEvents } from '#domain/events.ts'
import { reactions } from '../reactions.ts'
import { unfinishedWork } from './unfinished.ts'

let n = 0
const event = (stream: string, type: string, data: object): RecordedEvent => ({
  id: `e${(n += 1)}`,
  revision: n,
  position: String(n).padStart(16, '0') as Position, // as a log writes it
  stream,
  type,
  schemaVersion: Object.entries(domainEvents).find(([name]) => name === type)?.[1].version ?? 1,
  occurredAt: '2026-03-04T05:06:07.089Z',
  meta: { correlationId: 'r', causationId: 'c', commandId: 'c', actor: { kind: 'visitor' as const } },
  data: data as never,
})

const received = (id: string) =>
  event(`message-${id}`, 'MessageReceived', { subject: 'general', artworkId: null, sealed: 'v1.x' })
const started = (runId: string) =>
  event('blog-sync', 'BlogSyncStarted', { runId, blogUrl: 'https://blog.example', trigger: 'owner' })

const jobsOf = (...events: readonly RecordedEvent[]) => {
  const work = unfinishedWork(reactions)
  for (const each of events) work.see(each)
  const jobs = work.begun().flatMap((begun) => begun.jobs)
  return jobs.map(({ name, data: { correlationId: _, ...ids } }) => [name, ids])
}

describe('unfinished work of a log', () => {
  it('is what was begun and not ended', () => {
    expect(
      jobsOf(
        received('m1'),
        received('m2'),
        event('message-m1', 'EnquiryMailed', { mailId: '<m1@example>' }),
        event('message-m2', 'MessageMarkedRead', {}),
        started('r1'),
      ),
    ).toEqual([
      ['mail-enquiry', { messageId: 'm2' }],
      ['sync-blog', { runId: 'r1' }],
    ])
  })

  it('is nothing for what was erased, given up or ended in any other way', () => {
    expect(
      jobsOf(
        received('m1'),
        event('message-m1', 'MessageErased', {}),
        started('r1'),
        event('blog-sync', 'BlogSyncFailed', { runId: 'r1', reason: 'away' }),
      ),
    ).toEqual([])
  })

  it('is of the last beginning', () => {
    expect(
      jobsOf(started('r1'), event('blog-sync', 'BlogSyncFailed', { runId: 'r1', reason: '' }), started('r2')),
    ).toEqual([['sync-blog', { runId: 'r2' }]])
  })

  it('is in the order of the log, of each by its last beginning', () => {
    const [again, other, last] = [received('m1'), received('m2'), received('m1')]
    const work = unfinishedWork(reactions)
    for (const each of [again, other, last]) work.see(each)
    expect(work.begun().map(({ position }) => position)).toEqual([other.position, last.position])
  })

  it('passes over what cannot be read or is not known', () => {
    expect(jobsOf(event('message-m1', 'MessageReceived', { n: 1 }), event('x', 'FromLater', {}))).toEqual([])
  })

  it('is there where nobody can read any more by whom it was begun', () => {
    const uploaded = event('image-h', 'ImageReprocessingRequested', { hash: 'h' })
    // As an engine reads metadata that has rotted.
    const rotted = { ...uploaded, meta: { damaged: '{"correlationI' } as never }
    expect(jobsOf(rotted)).toEqual([['process-image', { hash: 'h' }]])
  })

  it('is the copy of a picture also of a work that was deleted, which may be restored', () => {
    const sourceUrl = 'https://x.in/a.jpg'
    const to = { imageUrl: sourceUrl, source: 'copying', hash: null }
    const from = { imageUrl: '/images/a', source: 'own', hash: 'a' }
    const replaced = event('artwork-w1', 'ArtworkPictureReplaced', { from, to })
    const deleted = event('artwork-w1', 'ArtworkDeleted', { title: 'Rain' })
    const copy = [['copy-artwork-picture', { artworkId: 'w1', sourceUrl }]]
    expect(jobsOf(replaced, deleted)).toEqual(copy)
    expect(jobsOf(replaced, deleted, event('artwork-w1', 'ArtworkRestored', {}))).toEqual(copy)
  })

  it('ends when pictures are made, and begins again when they are to be made anew', () => {
    const hash = 'ab'.repeat(32)
    const begun = event(`image-${hash}`, 'ImageReprocessingRequested', { hash })
    const done = event(`image-${hash}`, 'ImageProcessed', {})
    expect(jobsOf(begun)).toEqual([['process-image', { hash }]])
    expect(jobsOf(begun, done)).toEqual([])
    expect(jobsOf(done, begun)).toEqual([['process-image', { hash }]])
  })
})
