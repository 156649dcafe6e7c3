import { randomUUID } from 'node:crypto'
import type { StreamAppend } from '#application/kernel/ports/event-store.ts'

/** So many changes of title in turns over some artworks, for a log that is long to carry over. */
export const retitles = (count: number, artworks: number): readonly StreamAppend[] =>
  Array.from({ length: count }, (_, n) => ({
    stream: `artwork-${n % artworks}`,
    expected: n < artworks ? ('no-stream' as const) : Math.floor(n / artworks) - 1,
    events: [
      {
        id: randomUUID(),
        type: 'ArtworkRetitled',
        schemaVersion: 1,
        occurredAt: '2026-03-04T05:06:07.089Z',
        meta: { correlationId: 'r', causationId: 'c', commandId: 'c', actor: { kind: 'visitor' as const } },
        data: { from: 'आशा', to: `title ${n}` },
      },
    ],
  }))
