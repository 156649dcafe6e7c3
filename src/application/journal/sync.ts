import type { Application } from '../application.ts'
import { type CommandContext, ownContext } from '../kernel/envelope.ts'
import { isOutage } from '../kernel/outage.ts'
import { fencedBy, send, untilSettled } from '../kernel/execute.ts'
import { derivedId } from '../kernel/ids.ts'
import { blogPosts, mirrorCrawl } from './mirror-crawl.ts'
import { type BlogFeed, BlogFeedError, type CrawlMemory } from '../ports/blog-feed.ts'
import type { EffectLedger, JobQueue } from '../kernel/ports/job-queue.ts'
import { blogSyncAggregate, type BlogSyncCommand } from '#domain/journal/blog-sync.ts'
import { fieldLimits } from '#domain/field-limits.ts'
import { keysOf } from '#domain/field-rules.ts'
import { journalEvents } from '#domain/journal/events.ts'
import { siteContentAggregate } from '#domain/site-content/site-content.ts'

/** So many open jobs of a kind are looked through for that of a run: few of its kind are ever open, of others thousands. */
const openJobsLooked = 100

interface SyncPorts {
  readonly app: Application
  readonly blogFeed: BlogFeed
  /** remembers the state of the feed's pages that the journal mirrors */
  readonly effects: EffectLedger
}

/** What the site does by itself for a run; the same step has the same id, so that a repeat changes nothing. */
const bySync = (
  app: Application,
  step: string,
  of: { readonly runId: string; readonly correlationId: string; readonly causationId: string },
): CommandContext =>
  ownContext('blog-sync', derivedId('sync', of.runId, step), app.clock.now(), {
    correlationId: of.correlationId,
    causationId: of.causationId,
  })

/**
 * Asks for a sync. The worker carries it out; its end is an event with this run id.
 * @throws {Refusal} `blocked` while one runs or without a blog address
 */
export const startSync = async (
  app: Application,
  run: { readonly runId: string; readonly blogUrl: string; readonly trigger: 'owner' | 'schedule' },
  context: CommandContext,
): Promise<void> => {
  const outcome = await send(app, blogSyncAggregate, { type: 'StartSync', ...run }, context)
  if (outcome.position !== null) await app.readModels.shows(outcome.position, outcome.types)
}

/**
 * Mirrors the blog: new posts appear, edits are followed, posts that a complete crawl proves gone are
 * removed, and of a full journal those that make room. Ends the run with its counts, or with the reason why it failed. A blog
 * that fails changes nothing in the journal; posts of it that the log does not take are left out and named. Run again after a
 * crash it goes on where it was.
 * @throws the signal's reason when aborted, {EngineAway} while the list of posts is behind the log: the run stays open and
 * is carried on by the next try
 */
export const runSync = async (
  ports: SyncPorts,
  runId: string,
  options: {
    readonly signal: AbortSignal
    readonly progress: (done: number, total: number) => void
    /** the request that asked for the run; the run itself where nobody did */
    readonly correlationId?: string
  },
): Promise<void> => {
  // A process that stood still may wake when another has carried the run on, perhaps with newer words.
  const app = fencedBy(() => options.signal.throwIfAborted(), ports.app)
  const { running: run, lastEnded } = await app.executor.load(blogSyncAggregate)
  if (run === null || run.runId !== runId) return
  const context = (step: string): CommandContext =>
    bySync(app, step, { runId, correlationId: options.correlationId ?? runId, causationId: runId })
  const end = (command: BlogSyncCommand) => send(app, blogSyncAggregate, command, context('end'))
  const room = await app.files.room()
  if (room !== null && room < fieldLimits.leastFreeBytes) {
    await end({ type: 'FailSync', runId, reason: tooLittleRoom })
    return
  }
  // A post that is not listed yet would stay when the blog has taken it away.
  await untilSettled(app, keysOf(journalEvents))
  const { memory, isReadAgain } = await lastCrawl(ports.effects, lastEnded?.runId, run.blogUrl)
  const remember = (crawled: CrawlMemory | null, readAgain = false): Promise<void> =>
    ports.effects.replace(memoryKey, 'done', JSON.stringify({ runId, memory: crawled, readAgain }))
  try {
    const crawl = await ports.blogFeed.crawl(run.blogUrl, {
      signal: options.signal,
      memory,
      onProgress: (received, total) => options.progress(received, total ?? received),
    })
    if (crawl.unchanged) {
      const total = (await blogPosts(app)).length
      await end({
        type: 'CompleteSync',
        runId,
        counts: { created: 0, updated: 0, removed: 0, unchanged: total, total },
      })
      await remember(memory)
      return
    }
    // What the journal holds in the middle of a run is no state that the blog was ever in.
    const onBegin = () => ports.effects.replace(memoryKey, 'started', runId)
    const { tally, leftOut, givenUp } = await mirrorCrawl(
      { ...ports, app, ...options, blogUrl: run.blogUrl, context, onBegin },
      crawl,
    )
    const reasons = leftOutInWords(leftOut)
    await end(
      reasons.length === 0
        ? { type: 'CompleteSync', runId, counts: { ...tally, total: crawl.entries.length } }
        : { type: 'FailSync', runId, reason: reasons.join('. ') },
    )
    // On a busy machine, perhaps: once more the next run reads them, whatever the blog says of itself.
    const readAgain = givenUp > 0 && !isReadAgain
    await remember(crawl.complete && leftOut.length === 0 && !readAgain ? crawl.memory : null, readAgain)
  } catch (error) {
    // Our own troubles beneath the blog's words: the run is carried on by the next try.
    if (!(error instanceof BlogFeedError) || isOutage(error)) throw error
    await end({ type: 'FailSync', runId, reason: error.message })
    await remember(memory)
  }
}

/**
 * Ends a run whose job will not be tried again, so that the next one may start. What it has mirrored stays; the
 * next run reads the whole blog.
 * @param reason a sentence for the owner
 */
export const giveUpSync = async (app: Application, runId: string, reason: string): Promise<void> => {
  const { running } = await app.executor.load(blogSyncAggregate)
  if (running?.runId !== runId) return
  const context = bySync(app, 'given up', { runId, correlationId: runId, causationId: runId })
  await send(app, blogSyncAggregate, { type: 'FailSync', runId, reason }, context)
}

/**
 * Starts another run in the place of one that was given up and has ended last; nothing otherwise, nor where she has no
 * blog any more. Its own job carries it out. Asked twice it starts one.
 */
export const startSyncAgain = async (
  app: Application,
  runId: string,
  correlationId: string,
): Promise<void> => {
  const { running, lastEnded } = await app.executor.load(blogSyncAggregate)
  if (running !== null || lastEnded?.runId !== runId) return
  const saved = (await app.executor.load(siteContentAggregate)).blogUrl
  // Emptied since then, she wants none; set to another blog, that one; never set, it was the environment's.
  if (saved === '') return
  const blogUrl = saved ?? lastEnded.blogUrl
  const again = derivedId('sync', runId, 'again')
  await send(
    app,
    blogSyncAggregate,
    { type: 'StartSync', runId: again, blogUrl, trigger: 'owner' },
    bySync(app, 'start', { runId: again, correlationId, causationId: runId }),
  )
}

/**
 * Ends a run in words that looks as if it went on while no job carries it on, as after the job queue lost what it
 * held. To be asked some time after the run was first seen without a job: one that just began has none yet.
 * @returns whether there was such a run
 */
export const endLostSync = async (
  { app, jobs }: { readonly app: Application; readonly jobs: Pick<JobQueue, 'list'> },
  runId: string,
): Promise<boolean> => {
  const open = await jobs.list({
    states: ['waiting', 'running'],
    limit: openJobsLooked,
    ofEachKind: true,
  })
  if (open.some(({ name, subjectId }) => name === 'sync-blog' && subjectId === runId)) return false
  await giveUpSync(app, runId, 'The work of this sync was lost with the job queue. Sync again')
  return true
}

/** Texts wait for room as images do: the log keeps them for ever. */
const tooLittleRoom =
  `Less than ${fieldLimits.leastFreeBytes / 1_000_000} MB are free on the disk of this site, and they are for your own work. ` +
  'Free some space, then sync again'

/** So many posts that were left out are named. */
const mostNamed = 3

/** A sentence for the owner about posts that the log did not take. */
const leftOutInWords = (titles: readonly string[]): readonly string[] => {
  if (titles.length === 0) return []
  const [what, number] = titles.length === 1 ? ['1 post', 'was'] : [`${titles.length} posts`, 'were']
  const names = titles
    .slice(0, mostNamed)
    .map((title) => (title === '' ? 'one without a title' : `"${title}"`))
  const more = titles.length > mostNamed ? ` and ${titles.length - mostNamed} more` : ''
  return [
    `${what} could not be kept and ${number} left out: ${names.join(', ')}${more}. All others of the blog are here`,
  ]
}

const memoryKey = 'blog-crawl'

interface LastCrawl {
  /** the states of the feed's pages when the last run left the journal as whole as they; null for another blog */
  readonly memory: CrawlMemory | null
  /** posts are read once more that could not be read in time */
  readonly isReadAgain: boolean
}

/** What the last run knew. */
const lastCrawl = async (
  effects: EffectLedger,
  lastRunId: string | undefined,
  blogUrl: string,
): Promise<LastCrawl> => {
  const kept = await effects.find(memoryKey)
  const nothing = { memory: null, isReadAgain: false }
  if (kept?.state !== 'done') return nothing
  // Written by `runSync` only; older versions did not say whether posts are read again.
  const { runId, memory, readAgain } = JSON.parse(kept.detail) as {
    runId: string
    memory: CrawlMemory | null
    readAgain?: boolean
  }
  if (runId !== lastRunId) return nothing
  return { memory: memory?.blogUrl === blogUrl ? memory : null, isReadAgain: readAgain === true }
}
