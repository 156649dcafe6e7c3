// A log at its barest: one table with the keys that any event log needs, and everything that waits in one commit.
import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'

/**
 * Opens a log as the floors use it: WAL, synchronous FULL; position, unique stream and revision, unique id.
 * @returns a function that inserts the first event of a stream of its own
 */
export const openLog = (file) => {
  const database = new DatabaseSync(file)
  database.exec(`pragma journal_mode = wal; pragma synchronous = full;
    create table log (position integer primary key autoincrement, stream text not null, revision integer not null,
      id text not null unique, body text not null, unique (stream, revision)) strict`)
  const statement = database.prepare('insert into log (stream, revision, id, body) values (?, 0, ?, ?)')
  let number = 0
  const insert = (body) => {
    number += 1
    statement.run(`artwork-${number}`, randomUUID(), body)
  }
  return { database, insert }
}

/** @returns a function that takes a body and calls back once it is on the disk */
export const groupCommit = (file) => {
  const { database, insert } = openLog(file)
  const begin = database.prepare('begin immediate')
  const commit = database.prepare('commit')
  let waiting = []
  const flush = () => {
    const group = waiting
    waiting = []
    begin.run()
    for (const { body } of group) insert(body)
    commit.run()
    for (const { done } of group) done()
  }
  return (body, done) => {
    if (waiting.length === 0) setImmediate(flush)
    waiting.push({ body, done })
  }
}
