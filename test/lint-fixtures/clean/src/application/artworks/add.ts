import { createHash } from 'node:crypto'
import { decide } from '#domain/artworks/decide.ts'

type Append = (stream: string, options: { expectedRevision: number | 'none' }) => Promise<void>

/** Loaded only when it is needed, which the floors allow as long as the room is the same. */
export const later = (): Promise<unknown> => import('./revise.ts')

export const add = async (append: Append, id: string): Promise<string> => {
  decide({ type: 'ArtworkAdded' })
  await append(`artwork-${id}`, { expectedRevision: 'none' })
  return createHash('sha256').update(id).digest('hex')
}
