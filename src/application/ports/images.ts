import type { SaleStatus } from '#domain/artworks/fields.ts'
import type { OriginalFormat, ImageFormat } from '#domain/images/events.ts'

/** How a code is drawn, wherever that is: what a camera reads off a screen, with the white around it that it looks for. */
export const codeForm = { ecc: 'M', boostEcc: false, border: 4 } as const

/** An image held in memory; small enough to pass around (a first view, a card, a QR). */
export interface ImageBytes {
  readonly data: Uint8Array
}

/**
 * What stands in an original, told by its bytes and never by its name, and what a page needs at once: exact size,
 * blurred placeholder, a colour and something to show.
 */
export interface FirstLook {
  /** sha-256 of the file, 64 hex digits: the image's id (`image-<hash>`) */
  readonly hash: string
  readonly format: OriginalFormat
  /** of the upright image, in pixels */
  readonly width: number
  readonly height: number
  /** size of the file */
  readonly bytes: number
  /** `data:image/webp;base64,…`, at most 400 characters */
  readonly placeholder: string
  /** the dominant colour, `#rrggbb` */
  readonly color: string
  /** a JPEG: upright, sRGB, without metadata, at most 1600 px on its longer side */
  readonly view: ImageBytes
}

/** One finished variant, lying in the folder that was asked for as `<width>.<format>`. */
export interface VariantFile {
  readonly width: number
  readonly format: ImageFormat
  /** file name inside the folder, e.g. `640.avif` */
  readonly name: string
}

interface VariantOptions {
  /** an existing folder of the caller's, who also removes it */
  readonly into: string
  readonly onProgress?: (done: number, total: number) => void
  /** stops between two files; the promise then rejects with the signal's reason */
  readonly signal?: AbortSignal
}

export interface FirstLookOptions {
  /** what it may be; default the formats of uploads. Of what moves, the first frame */
  readonly accept?: readonly OriginalFormat[] | undefined
  /** it comes from elsewhere, as a blog: it waits behind everything else, and is given up sooner */
  readonly ofStranger?: boolean
}

/** What the Open Graph card says; every text is already in the words that visitors read. */
export interface CardContent {
  readonly title: string
  /** small line above the title; may be empty */
  readonly artist: string
  /** line below it: `₹1,25,000`, `Price on request`, `Sold`, `₹36,000, reserved` */
  readonly caption: string
  /** `sold` draws the red dot, `reserved` the hollow one */
  readonly saleStatus: SaleStatus
  /** file of the original or of any variant; null draws the words alone */
  readonly imagePath: string | null
}

/** Why a file was not taken as an image, in the kinds an edge must tell apart. */
export type ImageRefusalKind =
  /** of no accepted format by its bytes (415) */
  | 'wrong-type'
  /** cannot be read whole (422) */
  | 'damaged'
  /** more pixels than are safe to open, or too long and narrow for a browser (422) */
  | 'too-many-pixels'

/** The file is at fault; trying again cannot help. The message is for the person and names a remedy. */
export class ImageRefused extends Error {
  override readonly name = 'ImageRefused'
  readonly kind: ImageRefusalKind
  readonly status: 415 | 422

  constructor(kind: ImageRefusalKind, message: string) {
    super(message)
    this.kind = kind
    this.status = kind === 'wrong-type' ? 415 : 422
  }
}

/** The work broke off: killed, out of memory, too slow, disk full. Trying again may help. */
export class ImageWorkFailed extends Error {
  override readonly name = 'ImageWorkFailed'
}

/**
 * Everything done with pixels. The work happens outside of this process, in one helper process that starts
 * on demand and ends when idle; one thing at a time. Short tasks go before the next file of another image's
 * variants, so that an upload waits for one file at most; codes and cards take turns with uploads, and images of
 * strangers come after both.
 *
 * Paths are of local files. Every method may throw `ImageWorkFailed`.
 */
export interface Images {
  /** Starts the helper process, so that it is ready when an upload has arrived. Costs nothing when it runs. */
  readonly warm: () => void
  /**
   * A first displayable image, from one quick decode of the whole file.
   * @throws {ImageRefused}
   */
  readonly first: (path: string, options?: FirstLookOptions) => Promise<FirstLook>
  /**
   * Writes each width (spec I-8) in each format into a folder: upright, sRGB, no metadata, 4:4:4 where the format
   * can. Takes originals of every format.
   * @throws {ImageRefused}
   */
  readonly variants: (path: string, options: VariantOptions) => Promise<readonly VariantFile[]>
  /** Decodes a whole image that was taken or made once. @throws {ImageRefused} when it cannot be read to its end */
  readonly check: (path: string) => Promise<void>
  /** The Open Graph card, a JPEG of 1200 × 630, lettered with the shipped fonts only. */
  readonly card: (content: CardContent) => Promise<ImageBytes>
  /** A PNG of 720 × 720, level M, with a quiet zone of at least 4 modules. */
  readonly qr: (text: string) => Promise<ImageBytes>
  /** Ends the helper process; what it was doing rejects. */
  readonly close: () => Promise<void>
}
