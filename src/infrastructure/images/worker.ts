/**
 * The helper process: the only place that loads the image library. It works on one thing at a time, so that
 * its memory is that of one image; short tasks (an upload, a card) go before the next step of a long one.
 */
import { lacksRoom } from '#application/kernel/outage.ts'
import { reasonOf } from '#application/kernel/reason.ts'
import { flushCompileCache } from 'node:module'
import sharp from 'sharp'
import { ImageRefused } from '#application/ports/images.ts'
import { beEndedFirst } from '../ended-first.ts'
import { drawCard } from './card.ts'
import { firstLook } from './first-look.ts'
import { type Answer, type Asker, askers, type FromHelper, type Task, type ToHelper } from './protocol.ts'
import { drawQr } from './qr.ts'
import { noRoomIn, readWhole } from './reading.ts'
import { makeVariants } from './variants.ts'

// Kept now, since this process may be ended at any time.
flushCompileCache()
beEndedFirst()

// No cache: each image is read once. Two threads also for one image, since this is the only one.
sharp.cache(false)
sharp.concurrency(2)
// Only the decoders that are needed: whatever a file pretends to be, no other one meets it.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpeg',
    'VipsForeignLoadPng',
    // images of blogs; what else these two containers may hold has no decoder here
    'VipsForeignLoadWebp',
    'VipsForeignLoadNsgif',
    'VipsForeignLoadHeif',
    // the dots of the card, from memory only
    'VipsForeignLoadSvgBuffer',
  ],
})

interface Long {
  readonly id: number
  readonly task: Task & { readonly kind: 'variants' }
}
interface Short {
  readonly id: number
  readonly task: Exclude<Task, { readonly kind: 'variants' }>
}

/** A row for each asker. Visitors and the owner take turns; nobody's tasks are begun when neither waits. */
const shorts: { readonly [Who in Asker]: Short[] } = { visitor: [], owner: [], nobody: [] }
let order: readonly Asker[] = askers
const nextShort = (): Short | undefined => {
  const asker = order.find((each) => shorts[each].length > 0)
  if (asker === undefined) return undefined
  order = asker === 'visitor' ? ['owner', 'visitor', 'nobody'] : askers
  return shorts[asker].shift()
}
const longs: Long[] = []
const stopped = new Set<number>()
let wake: (() => void) | null = null

const tell = (message: FromHelper): void => {
  // Without a channel the asker is gone, and 'disconnect' ends this process.
  if (process.connected) process.send?.(message)
}

const tellError = (id: number, error: unknown): void => {
  if (error instanceof ImageRefused) {
    tell({ type: 'refused', id, kind: error.kind, message: error.message })
    return
  }
  const message = reasonOf(error)
  tell({ type: 'failed', id, message, diskFull: lacksRoom(error) || noRoomIn.test(message) })
}

const answerTo = async (task: Short['task']): Promise<Answer> => {
  switch (task.kind) {
    case 'check':
      return readWhole(task.ask.path)
    case 'first':
      return firstLook(task.ask)
    case 'card':
      return drawCard(task.ask)
    case 'qr':
      return drawQr(task.ask)
  }
}

const doShorts = async (): Promise<void> => {
  for (let next = nextShort(); next !== undefined; next = nextShort()) {
    tell({ type: 'begun', id: next.id })
    try {
      tell({ type: 'done', id: next.id, answer: await answerTo(next.task) })
    } catch (error) {
      tellError(next.id, error)
    }
  }
}

const doLong = async ({ id, task }: Long): Promise<void> => {
  const steps = makeVariants(task.ask)
  tell({ type: 'begun', id })
  try {
    for (;;) {
      if (stopped.delete(id)) {
        await steps.return([])
        tell({ type: 'stopped', id })
        return
      }
      const step = await steps.next()
      // What the step held is let go before the next one asks for memory.
      globalThis.gc?.()
      if (step.done) {
        tell({ type: 'done', id, answer: step.value })
        return
      }
      tell({ type: 'step', id, ...step.value })
      await doShorts()
    }
  } catch (error) {
    tellError(id, error)
  } finally {
    stopped.delete(id)
  }
}

process.on('message', (message: ToHelper) => {
  if (message.type === 'stop') stopped.add(message.id)
  else if (message.task.kind === 'variants') longs.push({ id: message.id, task: message.task })
  else shorts[message.asker].push({ id: message.id, task: message.task })
  wake?.()
})
// Ctrl-C and a terminal that goes reach the whole process group: the asker decides when this process ends, by closing the channel.
process.on('SIGINT', () => {})
process.on('SIGHUP', () => {})
process.on('SIGTERM', () => {})
process.on('disconnect', () => process.exit(0))

for (;;) {
  await doShorts()
  const next = longs.shift()
  if (next !== undefined) await doLong(next)
  else if (askers.every((asker) => shorts[asker].length === 0))
    await new Promise<void>((resolve) => {
      wake = resolve
    })
}
