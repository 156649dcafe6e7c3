import type { SyncCounts } from '#domain/journal/blog-sync.ts'
import type { BlogSyncEvent } from '#domain/journal/events.ts'
import type { Projection, ViewDocument } from '../runtime/projection.ts'

export const blogSyncId = 'blog-sync'

export interface BlogSyncDoc extends ViewDocument, SyncCounts {
  /** the run that goes on now; null while none does */
  readonly runId: string | null
  readonly trigger: 'owner' | 'schedule'
  readonly blogUrl: string
  readonly startedAt: string
  /** the run that ended last, well or badly; null before the first end */
  readonly endedRunId: string | null
  readonly finishedAt: string | null
  /** why the run that ended last failed, in words; null when it went well. The counts are those of the last good one */
  readonly error: string | null
}

const before = {
  id: blogSyncId,
  runId: null,
  trigger: 'schedule',
  blogUrl: '',
  startedAt: '',
  endedRunId: null,
  finishedAt: null,
  error: null,
  created: 0,
  updated: 0,
  removed: 0,
  unchanged: 0,
  total: 0,
} as const

export const blogSyncProjection: Projection<BlogSyncDoc, BlogSyncEvent['type']> = {
  view: { name: 'blog-sync', version: 1, indexes: [] },
  models: ['sync'],
  handles: ['BlogSyncStarted', 'BlogSyncCompleted', 'BlogSyncFailed'],
  targets: () => ({ ids: [blogSyncId] }),
  apply: (stored, event) => {
    const doc = stored ?? before
    const { position, occurredAt } = event
    if (event.type === 'BlogSyncStarted') return { ...doc, ...event.data, startedAt: occurredAt, position }
    const ended = { runId: null, endedRunId: event.data.runId, finishedAt: occurredAt, position }
    if (event.type === 'BlogSyncFailed') return { ...doc, ...ended, error: event.data.reason }
    const { runId: _ended, ...counts } = event.data
    return { ...doc, ...counts, ...ended, error: null }
  },
}
