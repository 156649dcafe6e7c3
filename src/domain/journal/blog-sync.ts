import type { BlogSyncEvent } from './events.ts'
import type { Decider } from '../decider.ts'
import { Refusal } from '../refusal.ts'

const blogSyncStream = 'blog-sync'

export interface SyncCounts {
  readonly created: number
  readonly updated: number
  readonly removed: number
  readonly unchanged: number
  readonly total: number
}

export interface BlogSyncState {
  /** the run that goes on now; after a crash it stays here until it is failed or completed */
  readonly running: { readonly runId: string; readonly blogUrl: string } | null
  readonly lastEnded: BlogSyncState['running']
  readonly version: number
}

export type BlogSyncCommand =
  | {
      readonly type: 'StartSync'
      readonly runId: string
      /** the site's setting as it is now; empty when the owner has set none */
      readonly blogUrl: string
      readonly trigger: 'owner' | 'schedule'
    }
  | { readonly type: 'CompleteSync'; readonly runId: string; readonly counts: SyncCounts }
  /** `reason` is a sentence for the owner. */
  | { readonly type: 'FailSync'; readonly runId: string; readonly reason: string }

const start = (
  state: BlogSyncState,
  { runId, blogUrl, trigger }: Extract<BlogSyncCommand, { type: 'StartSync' }>,
): readonly BlogSyncEvent[] => {
  if (state.running?.runId === runId || state.lastEnded?.runId === runId) return []
  if (blogUrl === '')
    throw new Refusal('blocked', 'No blog address is set: enter the Blog address in the site content first')
  if (state.running !== null)
    throw new Refusal('blocked', 'A sync is running already: its result will show here when it ends')
  return [{ type: 'BlogSyncStarted', data: { runId, blogUrl, trigger } }]
}

/** Ends the run; nothing when it has ended already. @throws {Refusal} `blocked` when another one runs */
const end = (state: BlogSyncState, runId: string, event: BlogSyncEvent): readonly BlogSyncEvent[] => {
  if (state.running?.runId === runId) return [event]
  if (state.lastEnded?.runId === runId) return []
  throw new Refusal('blocked', 'This sync is no longer the one that runs')
}

const decide = (command: BlogSyncCommand, state: BlogSyncState): readonly BlogSyncEvent[] => {
  const { runId } = command
  switch (command.type) {
    case 'StartSync':
      return start(state, command)
    case 'CompleteSync':
      return end(state, runId, { type: 'BlogSyncCompleted', data: { runId, ...command.counts } })
    case 'FailSync':
      return end(state, runId, { type: 'BlogSyncFailed', data: { runId, reason: command.reason } })
  }
}

const evolve = (state: BlogSyncState, event: BlogSyncEvent): BlogSyncState => {
  const version = state.version + 1
  switch (event.type) {
    case 'BlogSyncStarted': {
      const { runId, blogUrl } = event.data
      return { ...state, running: { runId, blogUrl }, version }
    }
    case 'BlogSyncCompleted':
    case 'BlogSyncFailed': {
      const lastEnded = { runId: event.data.runId, blogUrl: state.running?.blogUrl ?? '' }
      return { running: null, lastEnded, version }
    }
    default:
      return state
  }
}

/** The syncs with the blog: one run at a time, none without a blog address. */
export const blogSyncDecider: Decider<BlogSyncState, BlogSyncCommand, BlogSyncEvent> = {
  initialState: { running: null, lastEnded: null, version: 0 },
  decide,
  evolve,
  versionOf: (state) => state.version,
}

/** All runs of the mirror, as one aggregate. */
export const blogSyncAggregate = { stream: blogSyncStream, decider: blogSyncDecider }
