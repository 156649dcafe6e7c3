import type { Checkpoints } from '#application/ports/checkpoints.ts'
import type { Position } from '#application/ports/event-store.ts'
import type { Database } from './database.ts'

/** Where reactors stand. Relaxed: a reactor set back by a power cut sends jobs whose ids are known already. */
export const openCheckpoints = (database: Database): Checkpoints => ({
  load: async (name) =>
    database.reading(() => {
      const row = database.sql('SELECT position FROM reactor_checkpoints WHERE name = ?').get(name)
      if (!row) return null
      const { position } = row
      return { position: position === null ? null : (String(position) as Position) } // as the event store made it
    }),
  save: async (name, position) => {
    database.transaction('relaxed', () =>
      database
        .sql(
          'INSERT INTO reactor_checkpoints (name, position) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET position = excluded.position',
        )
        .run(name, position),
    )
  },
})
