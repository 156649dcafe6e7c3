import { add } from '#application/artworks/add.ts'
import type { Added } from '#domain/artworks/events.ts'

export const apply = (event: Added): unknown => [event, add]
