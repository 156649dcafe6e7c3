import type { Readable } from 'node:stream'

const partOfKey = /^[A-Za-z0-9][A-Za-z0-9.-]*$/

/** Whether a name may stand between the slashes of a key. */
export const isPartOfKey = (name: string): boolean => partOfKey.test(name) && !name.includes('..')

/** Whether a text is a key: none names anything outside of the store, or a file in the making. */
export const isKey = (key: string): boolean => key.length <= 512 && key.split('/').every(isPartOfKey)

/** @throws TypeError for a key that could name anything outside of the store, or a file in the making */
export const checkedKey = (key: string): string => {
  if (!isKey(key))
    throw new TypeError(`"${key}" is no key of a file: letters, digits, ".", "-" and "/" make one`)
  return key
}

/** Not all of a file is there: its end was cut off, or pieces of it are gone. */
export class FileCut extends Error {
  override readonly name: string = 'FileCut'

  constructor(key: string, why = 'it was cut, or pieces of it are gone', options?: ErrorOptions) {
    super(`Not all of ${key} is there: ${why}`, options)
  }
}

/** A file's bytes are on the disk, which cannot give all of them. */
export class FileUnreadable extends FileCut {
  override readonly name = 'FileUnreadable'

  constructor(key: string, options?: ErrorOptions) {
    super(key, 'the disk cannot read it', options)
  }
}

/** A part of a file, in bytes; `end` is exclusive. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

export interface OpenFile {
  /** bytes of the whole file */
  readonly size: number
  /** fails with {@link FileCut} when it comes to an end too early */
  readonly stream: Readable
}

/** What nobody finished by then was broken off, in ms. */
export const brokenOffMs = 24 * 60 * 60 * 1_000

/**
 * Files by key, which change only by `replace` and `move`: `originals/<hash>`, `images/<hash>/640.avif` … Keys hold
 * letters, digits, `.`, `-` and `/`. A file exists whole or not at all, and is on the disk when `put` resolves.
 */
export interface FileStore {
  /** Keeps the bytes under a key. Writing an existing key again changes nothing, unless pieces of it are gone. @throws {DiskFull} */
  readonly put: (key: string, source: Readable | Uint8Array) => Promise<void>
  /** The same from a local file, which is left where it is. @throws {DiskFull} */
  readonly putFile: (key: string, path: string) => Promise<void>
  /**
   * Puts these bytes in the place of what the key held before, or keeps them like `put`. Who reads meanwhile
   * gets the old file or the new one, whole. @throws {DiskFull}
   */
  readonly replace: (key: string, source: Readable | Uint8Array) => Promise<void>
  /** Null when there is no such file. */
  readonly open: (key: string, range?: ByteRange) => Promise<OpenFile | null>
  readonly size: (key: string) => Promise<number | null>
  /** How many bytes are really there: another number than `size` where pieces are gone. Null when there is no such file. */
  readonly readableBytes: (key: string) => Promise<number | null>
  /** Keys that begin so, in no promised order. */
  readonly list: (prefix: string) => Promise<readonly string[]>
  /** Gives a file another key, in the place of what that one held; a missing file is no error. */
  readonly move: (from: string, to: string) => Promise<void>
  /** Removes what is there; a missing file is no error. */
  readonly remove: (keys: readonly string[]) => Promise<void>
  /**
   * Removes what broken uploads left behind, and what has given way to another file, {@link brokenOffMs} ago or earlier.
   * Answers how many.
   */
  readonly sweep: () => Promise<number>
  /** Bytes that may still be kept here; null where that is not known. */
  readonly room: () => Promise<number | null>
}
