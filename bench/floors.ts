/** The same things done barely, so that a result is a ratio and not a property of the machine it ran on. */
import { randomUUID } from 'node:crypto'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'undici'
import { groupCommit, openLog } from './group-commit.mjs'
import { perSecond, timesOf } from './measure.ts'

/** As long as a usual stored event. */
export const eventText = JSON.stringify({ type: 'ArtworkPriceChanged', data: 'x'.repeat(300) })

/** Runs `use` with a folder that is gone afterwards. */
export const withFolder = async <T>(use: (folder: string) => Promise<T>): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-bench-'))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Milliseconds of each append of one event's bytes to a file until they are on the disk. */
export const fdatasyncTimes = async (folder: string, runs: number): Promise<number[]> => {
  const file = openSync(join(folder, 'fdatasync'), 'a')
  try {
    return await timesOf(runs, () => {
      writeSync(file, eventText)
      fdatasyncSync(file)
    })
  } finally {
    closeSync(file)
  }
}

/** Milliseconds of each durable insert into SQLite (WAL, synchronous FULL). */
export const sqliteAppendTimes = async (folder: string, runs: number): Promise<number[]> => {
  const { database, insert } = openLog(join(folder, `append-${randomUUID()}.db`))
  try {
    return await timesOf(runs, () => insert(eventText))
  } finally {
    database.close()
  }
}

/** @returns durable inserts per second when `atOnce` callers wait for their own and the waiting share a commit */
export const groupCommitRate = (folder: string, atOnce: number, runs = 20_000): Promise<number> => {
  const commit = groupCommit(join(folder, `group-${randomUUID()}.db`))
  return perSecond(runs, atOnce, () => new Promise<void>((done) => commit(eventText, done)))
}

/**
 * @param events how many upserts, 1,000 to a transaction
 * @param options.documents how many rows they fall on
 * @param options.text of the document that is written over and over
 * @returns rows per second of one prepared upsert per event into a bare table
 */
export const upsertRate = (
  folder: string,
  events: number,
  options: { readonly documents: number; readonly text: string },
): number => {
  const database = new DatabaseSync(join(folder, 'upsert.db'))
  database.exec('pragma journal_mode = wal; pragma synchronous = normal')
  database.exec('create table documents (id text primary key, doc text not null) strict')
  const upsert = database.prepare(
    'insert into documents (id, doc) values (?, ?) on conflict (id) do update set doc = excluded.doc',
  )
  const ids = Array.from({ length: options.documents }, () => randomUUID())
  const start = performance.now()
  for (let event = 0; event < events; event += 1) {
    if (event % 1_000 === 0) database.exec('begin immediate')
    upsert.run(ids[event % options.documents] ?? '', options.text)
    if (event % 1_000 === 999 || event === events - 1) database.exec('commit')
  }
  const rate = (events / (performance.now() - start)) * 1000
  database.close()
  return rate
}

export type BareServer = { readonly url: string; readonly process: ChildProcess; stop(): Promise<void> }

/** Starts bench/bare-server.mjs; its arguments are described there. */
export const bareServer = async (...args: string[]): Promise<BareServer> => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare-server.mjs'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  const stop = async (): Promise<void> => {
    const ended = once(child, 'exit')
    child.kill()
    await ended
  }
  return { url: `http://127.0.0.1:${port.toString().trim()}`, process: child, stop }
}

/** Milliseconds of each PUT of `body` to a server that answers the same, on one kept connection. */
export const httpRoundTripTimes = async (
  server: BareServer,
  body: string,
  runs: number,
): Promise<number[]> => {
  const client = new Client(server.url)
  const put = async (): Promise<void> => {
    const answer = await client.request({ path: '/', method: 'PUT', body })
    await answer.body.text()
  }
  try {
    await timesOf(100, put)
    return await timesOf(runs, put)
  } finally {
    await client.close()
  }
}
