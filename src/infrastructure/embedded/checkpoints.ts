import type { Checkpoints } from '#application/kernel/ports/checkpoints.ts'
import type { Position } from '#application/kernel/ports/event-store.ts'
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
  place: async (name, position) => {
    database.transaction('relaxed', () =>
      database
        .sql(
          'INSERT INTO reactor_checkpoints (name, position) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET position = excluded.position',
        )
        .run(name, position),
    )
  },
  save: async (name, position) =>
    database.transaction(
      'relaxed',
      () =>
        database.sql('UPDATE reactor_checkpoints SET position = ? WHERE name = ?').run(position, name)
          .changes > 0,
    ),
})
