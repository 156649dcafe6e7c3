import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const change = (dataDir: string, sql: string): void => {
  const database = new DatabaseSync(join(dataDir, 'atelier.db'), { timeout: 20_000 })
  database.exec(sql)
  database.close()
}

/**
 * Lets whatever process writes to this data folder stand still in the middle: its write sets off a query that takes
 * minutes. So it can be killed there, however long whoever kills it takes to come to it.
 * @param write what is not written any more, as SQLite's triggers have it: `INSERT ON events`
 * @param when the condition, with the row as `NEW`
 */
export const standStill = (dataDir: string, write: string, when: string): void =>
  change(
    dataDir,
    `CREATE VIEW many_numbers AS
       WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1000000000)
       SELECT n FROM numbers;
     CREATE TRIGGER stand_still AFTER ${write} WHEN ${when} BEGIN SELECT max(n) FROM many_numbers; END`,
  )

/** Lets writes to this folder pass again. */
export const goOn = (dataDir: string): void =>
  change(dataDir, 'DROP TRIGGER stand_still; DROP VIEW many_numbers')
