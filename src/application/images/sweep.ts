import type { Application } from '../application.ts'
import { type CommandContext, ownContext } from '../kernel/envelope.ts'
import { send } from '../kernel/execute.ts'
import { derivedId } from '../kernel/ids.ts'
import {
  asideKey,
  asidePrefix,
  cardKey,
  cardsPrefix,
  firstKey,
  imageOfKey,
  imagePrefix,
  imagesPrefix,
  inFileTurn,
  originalKey,
  originalsPrefix,
  whatIsAside,
  variantKey,
} from './image-files.ts'
import { type Survey, type SurveyedImage, surveyImages } from './survey.ts'
import { isoDate } from '#domain/field-rules.ts'
import { imageAggregate, type ImageCommand, type ImageState } from '#domain/images/image.ts'

const day = 24 * 60 * 60_000
/** An upload that nothing names after so long is discarded: a draft may wait in a browser for weeks. */
const unusedMs = 30 * day
/** Files go so long after the log has stopped naming them: pages that were open then still ask for them. */
const graceMs = day
/** What was put aside is kept so long: a log that has lost its end is noticed by then, and brought back. */
const asideMs = 30 * day

/** What a sweep did, and what the next one has to know. */
export interface Swept {
  readonly discarded: number
  /** files put aside */
  readonly files: number
  /** files that lay aside for long enough and are gone */
  readonly removed: number
  /** files that lay aside and are needed: they are back in their places */
  readonly returned: number
  /** images with files of which the log knows nothing, by when that was seen first (ms) */
  readonly strays: ReadonlyMap<string, number>
}

type SweepPorts = Pick<Application, 'eventStore' | 'executor' | 'files' | 'leases' | 'lookups'>

/**
 * Puts aside what nothing refers to: variants that a later processing no longer names; uploads that were never
 * used, in two steps a day apart (from the first on they are refused, by the second nobody shows them any
 * more); files of an upload that broke off before the log knew of it, when a second sweep a day later still
 * finds them; cards that no work has any more, which would be drawn again when asked for. An original that was
 * ever used stays for good. Nothing is removed but what a sweep has put aside thirty days ago: a log that is
 * empty or has lost its end knows as little of what it needs as of what it does not. What lies aside and is needed
 * after all comes back.
 * @param strays of the last sweep in this process; empty at its first
 * @throws the signal's reason when aborted; what was put aside until then stays there
 */
export const sweepImages = async (
  app: SweepPorts,
  options: { readonly now: Date; readonly strays: ReadonlyMap<string, number>; readonly signal: AbortSignal },
): Promise<Swept> => {
  const { now, signal } = options
  // Files first: what is added while the log is read is not among them.
  const hashes = await hashesWithFiles(app)
  const survey = await surveyImages(app.eventStore, signal)
  const strays = new Map<string, number>()
  let [discarded, files] = [0, 0]
  for (const hash of hashes) {
    signal.throwIfAborted()
    const image = survey.images.get(hash)
    if (image !== undefined) {
      const did = await sweepImage(app, hash, image, { now, isUsed: survey.used.has(hash) })
      if (did === 'discarded') discarded += 1
      else files += did
      continue
    }
    const seenAt = options.strays.get(hash) ?? now.getTime()
    if (now.getTime() - seenAt < graceMs) strays.set(hash, seenAt)
    else files += await setAsideOf(app, now, hash, 0, () => allKeys(app, hash))
  }
  files += await setAside(app, now, await cardsOfNoArtwork(app))
  const returned = await bringBack(app, survey)
  return { discarded, files, removed: await removeOld(app, now), returned, strays }
}

/** Does what is due for an image that the log knows. @returns how many of its files were put aside, or that it was discarded */
const sweepImage = async (
  app: SweepPorts,
  hash: string,
  { version, uploadedAt, discardedAt, processedAt }: SurveyedImage,
  { now, isUsed }: { readonly now: Date; readonly isUsed: boolean },
): Promise<number | 'discarded'> => {
  const isPast = (iso: string, ms: number): boolean => now.getTime() - Date.parse(iso) >= ms
  const tell = (command: ImageCommand) =>
    send(app, imageAggregate(hash), command, sweepCommand(`${hash} ${command.type} ${version}`, now))
  if (discardedAt !== null) {
    // Used all the same, by a form that was open for long: it is kept, and made ready again.
    if (isUsed) await tell({ type: 'Reclaim', hash })
    else if (isPast(discardedAt, graceMs))
      return setAsideOf(app, now, hash, version, () => allKeys(app, hash))
    return 0
  }
  if (!isUsed && isPast(uploadedAt, unusedMs)) {
    await tell({ type: 'Discard', hash })
    return 'discarded'
  }
  if (processedAt === null || !isPast(processedAt, graceMs)) return 0
  return setAsideOf(app, now, hash, version, async (state) =>
    supersededKeys(hash, state, await variantKeys(app, hash)),
  )
}

/** @returns how many */
const setAside = async (
  { files }: SweepPorts,
  now: Date,
  keys: readonly string[],
  check = (): void => undefined,
): Promise<number> => {
  for (const key of keys) {
    check()
    await files.move(key, asideKey(key, isoDate(now)))
  }
  return keys.length
}

/** Puts files of an image aside, unless it has moved on since the survey. @returns how many */
const setAsideOf = (
  app: SweepPorts,
  now: Date,
  hash: string,
  version: number,
  choose: (state: ImageState) => Promise<readonly string[]>,
): Promise<number> =>
  inFileTurn(app.leases, async (check) => {
    const state = await app.executor.load(imageAggregate(hash))
    return state.version === version ? setAside(app, now, await choose(state), check) : 0
  })

const variantKeys = ({ files }: SweepPorts, hash: string) => files.list(imagePrefix(hash))
const allKeys = async (app: SweepPorts, hash: string) => [
  originalKey(hash),
  ...(await variantKeys(app, hash)),
]

/** Puts originals and first views back that lie aside, are needed and lack. @returns how many */
const bringBack = async ({ files, leases }: SweepPorts, { images, used }: Survey): Promise<number> => {
  let returned = 0
  for (const aside of (await files.list(asidePrefix)).toSorted().toReversed()) {
    const key = whatIsAside(aside)?.key ?? ''
    const hash = imageOfKey(key) ?? ''
    const image = images.get(hash)
    if (
      ![originalKey(hash), firstKey(hash)].includes(key) ||
      image === undefined ||
      (image.discardedAt !== null && !used.has(hash))
    )
      continue
    await inFileTurn(leases, async (check) => {
      if ((await files.size(key)) !== null) return
      check()
      await files.move(aside, key)
      returned += 1
    })
  }
  return returned
}

/** Removes what was put aside long ago. @returns how many files */
const removeOld = async ({ files }: SweepPorts, now: Date): Promise<number> => {
  const old = (await files.list(asidePrefix)).filter((key) => {
    const since = whatIsAside(key)?.date
    return since !== undefined && now.getTime() - Date.parse(since) >= asideMs + day
  })
  await files.remove(old)
  return old.length
}

const sweepCommand = (name: string, now: Date): CommandContext =>
  ownContext('sweep', derivedId('sweep', name), now, { correlationId: 'sweep', causationId: 'sweep' })

/** Every image of which an original, a first view or a variant is kept. */
const hashesWithFiles = async ({ files }: SweepPorts): Promise<ReadonlySet<string>> => {
  const keys = [...(await files.list(originalsPrefix)), ...(await files.list(imagesPrefix))]
  return new Set(keys.flatMap((key) => imageOfKey(key) ?? []))
}

/** The files of an image that are neither its first view nor one of the variants that the log names. */
const supersededKeys = (
  hash: string,
  { variants }: ImageState,
  keys: readonly string[],
): readonly string[] => {
  if (variants === null) return []
  const { widths, formats } = variants
  const named = new Set(widths.flatMap((width) => formats.map((format) => variantKey(hash, width, format))))
  return keys.filter((key) => key !== firstKey(hash) && !named.has(key))
}

const cardsOfNoArtwork = async ({ files, lookups }: SweepPorts): Promise<readonly string[]> => {
  const kept = await files.list(cardsPrefix)
  const current = new Set((await lookups.currentCards()).map(cardKey))
  return kept.filter((key) => !current.has(key))
}
