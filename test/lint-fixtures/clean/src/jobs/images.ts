import sharp from 'sharp'
import { add } from '#application/artworks/add.ts'

export const job = [sharp, add]

export const read = async (stream: AsyncIterable<string>): Promise<void> => {
  for await (const chunk of stream) await Promise.resolve(chunk)
}
