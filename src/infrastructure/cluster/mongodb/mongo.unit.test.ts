import { type Collection, MongoBulkWriteError, MongoNetworkError, MongoServerError } from 'mongodb'
import { describe, expect, it } from 'vitest'
import { DiskFull, EngineAway, EngineUnheard } from '#application/kernel/ports/event-store.ts'
import { databaseIn, isDuplicate, refusalOf, translated, updateOrInsert } from './mongo.ts'

describe('the database of an address', () => {
  it.each([
    ['mongodb://127.0.0.1:27017/site', 'site'],
    ['mongodb://127.0.0.1:27017', 'atelier'],
    ['mongodb://127.0.0.1:27017/?directConnection=true', 'atelier'],
    ['mongodb://owner:secret%2F@one:27017,two:27017/site?replicaSet=rs0', 'site'],
    ['mongodb+srv://cluster.example/site', 'site'],
  ])('%s is named', (url, name) => {
    expect(databaseIn(url)).toBe(name)
  })
})

describe('what the driver throws', () => {
  const server = (code: number): MongoServerError => new MongoServerError({ message: 'no', code })
  const cut = new MongoNetworkError('connection 3 to 127.0.0.1 closed')

  it.each([
    ['a cut connection', cut],
    ['a server that is not the primary any more', server(10_107)],
    ['a server that stops', server(11_600)],
    ['a cursor that is not there any more', server(43)],
    ['a server that found a fault in itself', server(1)],
    ['a server that knows no name for it', server(8)],
    ['a server that was too slow for its own limit', server(50)],
    ['a server that has too much to do', server(462)],
    ['a server on which somebody ended the operation', server(11_601)],
    ['a server that is at work on the indexes', server(12_587)],
    ['a server whose cluster is just divided anew', server(13_388)],
    ['a server on which somebody ended the connection', server(46_841)],
    ['a server that gives no number, as where its store has ended', new MongoServerError({ message: 'no' })],
  ])('is an engine that may answer others: %s', (_, thrown) => {
    expect(translated(thrown)).toBeInstanceOf(EngineUnheard)
    expect(translated(thrown)).not.toBeInstanceOf(DiskFull)
  })

  it.each(['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED', 'ENOTFOUND', 'ESERVFAIL'])(
    'is an engine away: a socket that ended while it was written to, or a name that is not found (%s)',
    (code) => {
      expect(translated(Object.assign(new Error('ended'), { code }))).toBeInstanceOf(EngineAway)
    },
  )

  it('is an engine away also inside of a bulk, without the bulk', () => {
    // as the driver makes it of a connection that is cut in a bulk: no code, no write errors, the truth inside
    const bulk = new MongoBulkWriteError(
      cut as never,
      { getWriteConcernError: () => undefined } as never, // all that is read of it
    )
    const away = translated(bulk)
    expect(away).toBeInstanceOf(EngineAway)
    expect((away as EngineAway).cause).toBe(cut)
  })

  it('says in the one way that the disk is full', () => {
    expect(translated(server(14_031))).toBeInstanceOf(DiskFull)
  })

  it('stays what it is when it is our fault', () => {
    for (const thrown of [
      server(2),
      server(18),
      server(10_334),
      server(11_000),
      server(40_324),
      new TypeError('wrong'),
      'text',
    ])
      expect(translated(thrown)).toBe(thrown)
    expect([11_000, 2].map((code) => isDuplicate(server(code)))).toEqual([true, false])
  })
})

describe('changing what may be missing', () => {
  const duplicate = new MongoServerError({ message: 'E11000', code: 11_000 })
  // No more of a collection is asked for.
  const rowsThat = (does: object) => does as Collection<{ _id: string; n: number }>

  it('changes what another made between the look and the insert', async () => {
    const calls: string[] = []
    const rows = rowsThat({
      updateOne: async () => {
        calls.push('update')
        return { matchedCount: calls.length > 1 ? 1 : 0 }
      },
      insertOne: async () => {
        calls.push('insert')
        throw duplicate
      },
    })
    await updateOrInsert(rows, { _id: 'one' }, { n: 1 })
    expect(calls).toEqual(['update', 'insert', 'update'])
  })

  it('hides no other failure', async () => {
    const rows = rowsThat({
      updateOne: async () => ({ matchedCount: 0 }),
      insertOne: async () => {
        throw new Error('no room')
      },
    })
    await expect(updateOrInsert(rows, { _id: 'one' }, { n: 1 })).rejects.toThrow('no room')
  })
})

describe('a server that does not let the site in', () => {
  const server = (code: number): MongoServerError => new MongoServerError({ message: 'no', code })
  it.each([
    [server(18), 'MONGODB_URL: the server refuses the name or the password. Correct them in MONGODB_URL'],
    [server(59), 'MONGODB_URL: the server has no accounts. Take name and password out of the address'],
    [server(2), 'MONGODB_URL: the server does not take the connection (no)'],
    [
      Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT', path: '/etc/ca.pem' }),
      'MONGODB_URL: there is no file /etc/ca.pem',
    ],
  ])('is told in words that name the setting: %s', (thrown, words) => {
    expect(refusalOf(thrown).message).toBe(words)
  })
})
