import sharp from 'sharp'
import { encode } from 'uqr'
import { codeForm } from '#application/ports/images.ts'
import type { Tasks } from './protocol.ts'

const side = 720

/**
 * A QR code as a PNG of 720 × 720. Modules are whole pixels, so that no camera meets a blurred
 * edge; what is left over widens the quiet zone.
 */
export const drawQr = async ({ text }: Tasks['qr']['ask']): Promise<Tasks['qr']['answer']> => {
  const code = encode(text, codeForm)
  const module = Math.floor(side / code.size)
  const before = Math.floor((side - module * code.size) / 2)
  const after = side - module * code.size - before
  const pixels = Buffer.from(code.data.flatMap((row) => row.map((dark) => (dark ? 0 : 255))))
  const png = await sharp(pixels, { raw: { width: code.size, height: code.size, channels: 1 } })
    .resize({ width: module * code.size, height: module * code.size, kernel: 'nearest' })
    .extend({ top: before, left: before, bottom: after, right: after, background: '#ffffff' })
    .toColourspace('b-w')
    .png({ palette: true, colours: 2, compressionLevel: 9 })
    .toBuffer()
  return { data: png }
}
