import { firstOf } from '#domain/list-in-words.ts'
import type { LackingFile, NeededFiles } from '../kernel/archive/needed-files.ts'
import { originalKey } from './image-files.ts'
import { surveyImages } from './survey.ts'

const inWords = (lacking: readonly LackingFile[]): string => {
  if (lacking.length === 0) return ''
  const named = lacking.map(({ key, bytes, found, titles }) => {
    const of = titles.length === 0 ? '' : ` of ${titles.map((title) => `"${title}"`).join(', ')}`
    const what = found === bytes ? ' (damaged)' : ' (cut)'
    return `${key}${of}${found === null ? '' : what}`
  })
  const count =
    lacking.length === 1 ? '1 original picture is missing' : `${lacking.length} original pictures are missing`
  return `${count}, cut or damaged: ${firstOf(named)}`
}

/** The originals of all images that are kept, and of all that anything in the log ever named. */
export const neededOriginals: NeededFiles = {
  of: async (eventStore, signal, until) => {
    const { images, used, titles } = await surveyImages(eventStore, signal, until)
    return [...images]
      .filter(([hash, { discardedAt }]) => discardedAt === null || used.has(hash))
      .map(([hash, { bytes }]) => ({
        key: originalKey(hash),
        bytes,
        sha256: hash,
        titles: titles.get(hash) ?? [],
      }))
  },
  inWords,
}
