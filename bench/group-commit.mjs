// Group commit at its barest: everything that waits goes into one durable transaction.
import { DatabaseSync } from 'node:sqlite'

/** Opens a log as the floors use it: WAL, synchronous FULL, one table with a position and a unique id. */
export const openLog = (file) => {
  const database = new DatabaseSync(file)
  database.exec(`pragma journal_mode = wal; pragma synchronous = full;
    create table if not exists log (position integer primary key autoincrement, id text unique, body text) strict`)
  return { database, insert: database.prepare('insert into log (id, body) values (?, ?)') }
}

/** @returns a function that takes a body and calls back once it is on the disk */
export const groupCommit = (file) => {
  const { database, insert } = openLog(file)
  let waiting = []
  let number = 0
  const flush = () => {
    const group = waiting
    waiting = []
    database.exec('begin immediate')
    for (const { body } of group) insert.run(`${(number += 1)}`, body)
    database.exec('commit')
    for (const { done } of group) done()
  }
  return (body, done) => {
    if (waiting.length === 0) setImmediate(flush)
    waiting.push({ body, done })
  }
}
