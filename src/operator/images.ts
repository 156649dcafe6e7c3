import { reasonOf } from '#application/kernel/reason.ts'
import { randomUUID } from 'node:crypto'
import { pause } from '#application/kernel/retry.ts'
import type { CommandContext } from '#application/kernel/envelope.ts'
import { send } from '#application/kernel/execute.ts'
import { eventId } from '#application/kernel/ids.ts'
import { surveyImages } from '#application/images/survey.ts'
import { type Swept, sweepImages } from '#application/images/sweep.ts'
import { imageAggregate, imageStream } from '#domain/images/image.ts'
import { Refusal } from '#domain/refusal.ts'
import { processImage } from '#jobs/process-image.ts'
import { jobId } from '#jobs/reactions.ts'
import { counted } from '#domain/list-in-words.ts'
import {
  operatorContext,
  type CommandGroup,
  type Operation,
  type SitePorts,
  type Task,
} from './command/operation.ts'
import { isTimeToAsk } from './at-work.ts'

/** How often the queue is asked how far the images are, in ms. */
const askEveryMs = 500
/** More than a queue remembers of images asked for in one go. */
const mostJobs = 20_000

interface Failure {
  readonly hash: string
  readonly reason: string
}

/** Sweeps as the worker does once a day; what it finds for the first time waits for the next one. */
const sweepNow = ({ app }: SitePorts, { signal }: Task) =>
  sweepImages(app, { now: app.clock.now(), strays: new Map(), signal })

const sweptInWords = ({ discarded, files, removed, returned }: Swept): string => {
  const parts = [
    ...(files > 0 ? [`${counted(files, 'file')} that nothing refers to put aside for 30 days`] : []),
    ...(removed > 0 ? [`${counted(removed, 'file')} removed that lay aside for so long`] : []),
    ...(returned > 0 ? [`${counted(returned, 'file')} that lay aside put back, as needed after all`] : []),
    ...(discarded > 0 ? [`${counted(discarded, 'upload')} never used, to go in a day`] : []),
  ]
  return parts.length === 0 ? 'No file lies about that nothing refers to.' : `${parts.join('; ')}.`
}

/**
 * The images meant: one by its hash or an address with it, or all. @throws {Refusal} when there is no such one
 */
const imagesMeant = async ({ app }: SitePorts, which: string, task: Task): Promise<readonly string[]> => {
  if (which === '') {
    const { images } = await surveyImages(app.eventStore, task.signal)
    return [...images].filter(([, { discardedAt }]) => discardedAt === null).map(([hash]) => hash)
  }
  const hash = /[0-9a-f]{64}/.exec(which)?.[0]
  const state = hash === undefined ? null : await app.executor.load(imageAggregate(hash))
  if (hash === undefined || state === null || state.original === null || state.discarded)
    throw new Refusal(
      'missing',
      `There is no picture ${which}. Its hash stands in its address: /images/<hash>/…`,
    )
  return [hash]
}

/** With no worker that could do it: one image after the other, here. */
const processHere = async (
  { app }: SitePorts,
  hashes: readonly string[],
  { signal, progress }: Task,
): Promise<readonly Failure[]> => {
  const run = randomUUID()
  const failures: Failure[] = []
  const { run: work } = processImage(app)
  for (const [done, hash] of hashes.entries()) {
    const tell = (part: number, of: number): void =>
      progress(progressOf(hashes.length, done, { done: part, total: of }))
    try {
      await work(
        { hash },
        { id: `${run}-${hash}`, attempt: 1, apart: false, again: false, signal, progress: tell },
      )
    } catch (error) {
      if (signal.aborted) throw error
      failures.push({ hash, reason: reasonOf(error) })
    }
  }
  return failures
}

const progressOf = (
  images: number,
  done: number,
  running: { readonly done: number; readonly total: number } | undefined,
) =>
  images === 1 && running !== undefined
    ? { what: 'Making variants', done: running.done, total: running.total, unit: 'files' }
    : { what: 'Making variants', done, total: images, unit: 'pictures' }

/** Whether the log no longer waits for its sizes: the queue may have forgotten the job since, as `jobs resume` has it do. */
const isOver = async ({ executor }: SitePorts['app'], hash: string): Promise<boolean> => {
  const { requested, discarded } = await executor.load(imageAggregate(hash))
  return discarded || !requested
}

/** Asks for them in the log, as everything the worker does begins there, and waits until they are made. */
const askForThem = async (
  { app, engines, runsJobs }: SitePorts,
  hashes: readonly string[],
  context: CommandContext,
  { signal, progress }: Task,
): Promise<readonly Failure[]> => {
  const open = new Map<string, string>()
  for (const hash of hashes) {
    signal.throwIfAborted()
    await send(app, imageAggregate(hash), { type: 'RequestReprocessing', hash }, context)
    open.set(jobId('process-image', eventId(context.commandId, imageStream(hash), 0)), hash)
  }
  const failures: Failure[] = []
  for (let look = 1; ; look += 1) {
    const jobs = (await engines.jobs.list({ limit: mostJobs })).filter(({ id }) => open.has(id))
    for (const { id, subjectId, state, reason } of jobs) {
      if (state !== 'done' && state !== 'parked') continue
      open.delete(id)
      if (state === 'parked') failures.push({ hash: subjectId, reason: reason ?? '' })
    }
    const told = new Set(jobs.map(({ id }) => id))
    for (const [id, hash] of open) if (!told.has(id) && (await isOver(app, hash))) open.delete(id)
    progress(
      progressOf(
        hashes.length,
        hashes.length - open.size,
        jobs.find(({ state }) => state === 'running'),
      ),
    )
    if (open.size === 0) return failures
    if (isTimeToAsk(look) && !(await runsJobs()))
      throw new Refusal('blocked', `No worker runs any more: ${open.size} pictures are made when one starts`)
    await pause(askEveryMs, signal)
    signal.throwIfAborted()
  }
}

const reprocess: Operation = {
  name: 'images reprocess',
  needs: 'site',
  run: async (ports, args, task) => {
    const hashes = await imagesMeant(ports, args['which'] ?? '', task)
    const failures = (await ports.runsJobs())
      ? await askForThem(ports, hashes, operatorContext('reprocess', ports.app.clock.now()), task)
      : await processHere(ports, hashes, task)
    const swept = await sweepNow(ports, task)
    const { strays: _, ...counts } = swept
    const made = hashes.length - failures.length
    return {
      ok: failures.length === 0,
      message: [
        `The variants of ${made} of ${hashes.length} pictures were made anew.`,
        ...failures.map(({ hash, reason }) => `${hash}: ${reason}`),
        sweptInWords(swept),
      ].join('\n'),
      data: { pictures: hashes.length, failures, ...counts },
    }
  },
}

const sweep: Operation = {
  name: 'images sweep',
  needs: 'site',
  run: async (ports, _args, task) => {
    const swept = await sweepNow(ports, task)
    const { strays: _, ...counts } = swept
    return { message: sweptInWords(swept), data: counts }
  },
}

export const images: CommandGroup = {
  operations: [reprocess, sweep],
  commands: (program, run) => {
    const group = program.command('images').description('The pictures and their files')
    const again = group
      .command('reprocess')
      .description('make all variants of a picture anew; the page shows the old ones until then')
      .argument('[hash]', 'the picture: its hash or any address with it')
      .option('--all', 'every picture', false)
    again.action((hash: string | undefined, { all }: { readonly all: boolean }) => {
      if ((hash === undefined) !== all) again.error('error: name one picture by its hash, or give --all')
      return run(reprocess, { which: hash ?? '' })
    })
    group
      .command('sweep')
      .description(
        'put files aside that nothing refers to, and remove them 30 days later; the worker does it daily',
      )
      .action(() => run(sweep))
  },
}
