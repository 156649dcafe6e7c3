import { z } from 'zod'
import { defineCalls } from './call.ts'

/** The lists that a change can touch, as anyone may hear of them. */
export const publicModels = ['artworks', 'categories', 'mediums', 'site-content', 'blog-posts'] as const

/** Those that only the owner hears of. */
export const ownerModels = ['contact-messages', 'activity', 'jobs', 'sync', 'status'] as const

/** The data of one `event: change`; its position is also the id of the event, and may be two (spec H-31). */
export const changeNotice = z.strictObject({
  models: z.array(z.enum([...publicModels, ...ownerModels])),
  position: z.string(),
})
export type ChangeNotice = z.output<typeof changeNotice>
export type ChangedModel = ChangeNotice['models'][number]

export const changeCalls = defineCalls('changes', {
  listenForChanges: {
    summary: 'Server-sent events: which lists have changed; 204 when this process has too many listeners',
    access: 'anyone',
    produces: 'event-stream',
    answers: { 200: null, 204: null },
  },
})
