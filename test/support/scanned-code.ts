import jsqr from 'jsqr'
import sharp from 'sharp'

// jsqr is CommonJS: its function is the default export of the default export
const decode = ('default' in jsqr ? jsqr.default : jsqr) as unknown as typeof import('jsqr').default

/** What a phone's camera reads from the image of a code; null where it reads nothing. */
export const scannedCode = async (image: Buffer): Promise<string | null> => {
  const { data, info } = await sharp(image, { density: 400 })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return decode(new Uint8ClampedArray(data), info.width, info.height)?.data ?? null
}
