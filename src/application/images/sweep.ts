import type { Application } from '#application/app.ts'
import type { CommandContext } from '#application/envelope.ts'
import { derivedId } from '#application/ids.ts'
import { inFileTurn } from '#application/images/file-turns.ts'
import { cardKey, firstKey, imagePrefix, originalKey, variantKey } from '#application/images/picture-files.ts'
import { type SurveyedPicture, surveyPictures } from '#application/images/survey.ts'
import { image, type ImageCommand, type ImageState, imageStream } from '#domain/images/image.ts'

const day = 24 * 60 * 60_000
/** An upload that nothing names after so long is discarded: a draft may wait in a browser for weeks. */
const unusedMs = 30 * day
/** Files go so long after the log has stopped naming them: pages that were open then still ask for them. */
const graceMs = day

/** What a sweep did, and what the next one has to know. */
export interface Swept {
  readonly discarded: number
  readonly files: number
  /** pictures with files of which the log knows nothing, by when that was seen first (ms) */
  readonly strays: ReadonlyMap<string, number>
}

type SweepPorts = Pick<Application, 'eventStore' | 'executor' | 'files' | 'leases' | 'lookups'>

/**
 * Removes what nothing refers to: variants that a later processing no longer names; uploads that were never
 * used, in two steps a day apart (from the first on they are refused, by the second nobody shows them any
 * more); files of an upload that broke off before the log knew of it, when a second sweep a day later still
 * finds them; cards that no work has any more, which would be drawn again when asked for. An original that was
 * ever used stays for good.
 * @param strays of the last sweep in this process; empty at its first
 * @throws the signal's reason when aborted; what was removed until then stays removed
 */
export const sweepPictures = async (
  app: SweepPorts,
  options: { readonly now: Date; readonly strays: ReadonlyMap<string, number>; readonly signal: AbortSignal },
): Promise<Swept> => {
  const { now, signal } = options
  const isPast = (iso: string, ms: number): boolean => now.getTime() - Date.parse(iso) >= ms
  // Files first: what is added while the log is read is not among them.
  const hashes = await hashesWithFiles(app)
  const { pictures, used } = await surveyPictures(app.eventStore, signal)
  const strays = new Map<string, number>()
  let [discarded, files] = [0, 0]

  const send = (hash: string, command: ImageCommand, version: number) =>
    app.executor.execute({
      stream: imageStream(hash),
      decider: image,
      command,
      context: sweepCommand(`${hash} ${command.type} ${version}`, now),
      expectedVersion: null,
    })
  /** Removes files of a picture, unless it has moved on since the survey. */
  const removeOf = (
    hash: string,
    version: number,
    choose: (state: ImageState) => Promise<readonly string[]>,
  ): Promise<void> =>
    inFileTurn(app.leases, async () => {
      const state = await app.executor.load(imageStream(hash), image)
      if (state.version !== version) return
      const keys = await choose(state)
      if (keys.length === 0) return
      await app.files.remove(keys)
      files += keys.length
    })

  const sweepPicture = async (hash: string, picture: SurveyedPicture): Promise<void> => {
    const { version, uploadedAt, discardedAt, processedAt } = picture
    if (discardedAt !== null) {
      // Used all the same, by a form that was open for long: it is kept, and made ready again.
      if (used.has(hash)) await send(hash, { type: 'Reclaim', hash }, version)
      else if (isPast(discardedAt, graceMs))
        await removeOf(hash, version, async () => [
          originalKey(hash),
          ...(await app.files.list(imagePrefix(hash))),
        ])
    } else if (!used.has(hash) && isPast(uploadedAt, unusedMs)) {
      await send(hash, { type: 'Discard', hash }, version)
      discarded += 1
    } else if (processedAt !== null && isPast(processedAt, graceMs)) {
      await removeOf(hash, version, async (state) =>
        supersededKeys(hash, state, await app.files.list(imagePrefix(hash))),
      )
    }
  }

  for (const hash of hashes) {
    signal.throwIfAborted()
    const picture = pictures.get(hash)
    if (picture !== undefined) {
      await sweepPicture(hash, picture)
      continue
    }
    const seenAt = options.strays.get(hash) ?? now.getTime()
    if (now.getTime() - seenAt < graceMs) strays.set(hash, seenAt)
    else
      await removeOf(hash, 0, async () => [originalKey(hash), ...(await app.files.list(imagePrefix(hash)))])
  }
  const cards = await cardsOfNoWork(app)
  await app.files.remove(cards)
  return { discarded, files: files + cards.length, strays }
}

const sweepCommand = (name: string, now: Date): CommandContext => ({
  commandId: derivedId('sweep', name),
  correlationId: 'sweep',
  causationId: 'sweep',
  actor: { kind: 'system', name: 'sweep' },
  now,
})

/** Every picture of which an original, a first view or a variant is kept. */
const hashesWithFiles = async ({ files }: SweepPorts): Promise<ReadonlySet<string>> => {
  const keys = [...(await files.list('originals/')), ...(await files.list('images/'))]
  return new Set(keys.flatMap((key) => /^(?:originals|images)\/([0-9a-f]{64})(?:\/|$)/.exec(key)?.[1] ?? []))
}

/** The files of a picture that are neither its first view nor one of the variants that the log names. */
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

const cardsOfNoWork = async ({ files, lookups }: SweepPorts): Promise<readonly string[]> => {
  const kept = await files.list('cards/')
  const current = new Set((await lookups.currentCards()).map(cardKey))
  return kept.filter((key) => !current.has(key))
}
