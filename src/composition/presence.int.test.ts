import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import { type Lease, type Leases, onlyPlace, serverPlaces } from '#application/kernel/ports/leases.ts'
import { Refusal } from '#domain/refusal.ts'
import { openLeases } from '#infrastructure/embedded/leases.ts'
import { takePlace, whileAlone } from './presence.ts'

const quiet = { warn: () => undefined }
const never = new AbortController().signal
/** Long enough for what is free, in ms. */
const short = 200
/** Who waits that long for what is to come at once has the test fail by its own limit. */
const longerThanATest = 3_600_000

describe('the presence of server processes', () => {
  it('keeps what needs to be alone from running, until the last of them has ended', async () => {
    const leases = openLeases()
    const [one, other] = [await takePlace(leases, ['web'], quiet), await takePlace(leases, ['web'], quiet)]
    const alone = () => whileAlone(leases, never, async () => 'done', short)
    await expect(alone()).rejects.toThrow('2 server processes run')
    await one.release()
    await expect(alone()).rejects.toThrow('A server process runs')
    await other.release()
    expect(await alone()).toBe('done')
    expect(await alone()).toBe('done')
  })

  it('lets none start while somebody works alone', async () => {
    const leases = openLeases()
    await whileAlone(
      leases,
      never,
      async () => {
        await expect(takePlace(leases, ['web'], quiet, serverPlaces, short)).rejects.toThrow(
          'a restore, a move or an import is under way',
        )
      },
      short,
    )
    await (await takePlace(leases, ['web'], quiet, serverPlaces, short)).release()
  })

  it('is for one of two who want to be alone at once, and tells the other of that', async () => {
    const leases = openLeases()
    const told = Promise.withResolvers<string>()
    const one = whileAlone(leases, never, () => told.promise, short)
    const other = whileAlone(leases, never, async () => 'done', short)
    await expect(other).rejects.toThrow('Another command that has to be alone on these engines is under way')
    told.resolve('done')
    expect(await one).toBe('done')
    expect(await whileAlone(leases, never, async () => 'done', short)).toBe('done')
  })

  describe('when one of its places is lost', () => {
    /** Leases of which the first holder of a place loses it. */
    const losing = () => {
      const leases = openLeases()
      const lost = new AbortController()
      let first: Lease | null = null
      const tryAcquire: Leases['tryAcquire'] = async (name, holder) => {
        const lease = await leases.tryAcquire(name, holder)
        if (name !== 'server-7' || lease === null || first !== null) return lease
        first = lease
        return { ...lease, lost: lost.signal }
      }
      const lose = async (): Promise<void> => {
        await first?.release()
        lost.abort(new Error('away'))
      }
      return { leases: { ...leases, tryAcquire }, lose }
    }

    it('goes on with a place that nobody has taken meanwhile', async () => {
      const { leases, lose } = losing()
      const heldAgain = async (): Promise<boolean> => {
        const found = await leases.tryAcquire('server-7')
        await found?.release()
        return found === null
      }
      const done = await whileAlone(leases, never, async (signal) => {
        await lose()
        await expect.poll(heldAgain).toBe(true)
        return signal.aborted
      })
      expect(done).toBe(false)
      const free = await leases.tryAcquire('server-7')
      expect(free).not.toBeNull()
    })

    it('tells its work at once that it is alone no more where another has it', async () => {
      const { leases, lose } = losing()
      const work = async (signal: AbortSignal): Promise<void> => {
        const other = leases.acquire('server-7', never)
        await lose()
        await other
        await once(signal, 'abort')
        signal.throwIfAborted()
      }
      const alone = whileAlone(leases, never, work, longerThanATest)
      await expect(alone).rejects.toThrow(/^A server process began to run .*run the same command again$/)
      await expect(alone).rejects.toBeInstanceOf(Refusal)
    })

    it('says so in words where nobody can tell who has it', async () => {
      const { leases, lose } = losing()
      const silent = { ...leases, tryAcquire: leases.tryAcquire }
      const alone = whileAlone(
        silent,
        never,
        async (signal) => {
          silent.tryAcquire = async () => {
            throw new EngineAway('mongodb', 'MongoDB does not answer')
          }
          await lose()
          await once(signal, 'abort')
          signal.throwIfAborted()
        },
        short,
      )
      await expect(alone).rejects.toThrow(/^MongoDB did not confirm .*run the same command again/)
    })
  })

  it('takes its own turn, had without an answer, for no other command', async () => {
    const leases = openLeases()
    let answers = false
    const tryAcquire: typeof leases.tryAcquire = async (...asked) => {
      const lease = await leases.tryAcquire(...asked)
      if (lease === null || answers) return lease
      answers = true
      throw new EngineAway('mongodb', 'MongoDB does not answer just now')
    }
    // It looks once more meanwhile.
    const alone = whileAlone({ ...leases, tryAcquire }, never, async () => 'done', 900)
    await expect(alone).rejects.toThrow('MongoDB does not answer')
  })

  it('is of one process alone where a part of the site stands in a folder', async () => {
    const leases = openLeases()
    const first = await takePlace(leases, ['web'], quiet, onlyPlace)
    await expect(takePlace(leases, ['web'], quiet, onlyPlace, short)).rejects.toThrow(
      'Another process of this site runs on the same servers, from another folder',
    )
    await expect(whileAlone(leases, never, async () => 'done', short)).rejects.toThrow(
      'A server process runs',
    )
    await first.release()
    await (await takePlace(leases, ['web'], quiet, onlyPlace, short)).release()
  })

  it('says so where another process has the only place by the time that it is lost', async () => {
    const leases = openLeases()
    const lost = new AbortController()
    let isFirst = true
    const tryAcquire: Leases['tryAcquire'] = async (...asked) => {
      const lease = await leases.tryAcquire(...asked)
      if (lease === null || !isFirst) return lease
      isFirst = false
      return { ...lease, lost: lost.signal }
    }
    const said: unknown[] = []
    const log = { warn: ({ err }: { readonly err?: unknown }) => void said.push(err) }
    const first = await takePlace({ tryAcquire }, ['web'], log, onlyPlace, short)
    lost.abort(new Error('away'))
    await expect.poll(() => said).toEqual([expect.any(Refusal)])
    await first.release()
  })

  it('says what may be the matter when every place is taken', async () => {
    const leases = openLeases()
    const running = []
    for (let n = 0; n < 32; n++) running.push(await takePlace(leases, ['web'], quiet))
    await expect(takePlace(leases, ['web'], quiet, serverPlaces, short)).rejects.toThrow(
      '32 processes of this site run',
    )
    for (const place of running) await place.release()
  })

  it('gives its places back when the work fails or is stopped', async () => {
    const leases = openLeases()
    const failing = whileAlone(leases, never, () => Promise.reject(new Error('full')), short)
    await expect(failing).rejects.toThrow('full')
    const stopped = AbortSignal.abort(new Error('Stopped.'))
    await expect(whileAlone(leases, stopped, async () => 'done', short)).rejects.toThrow('Stopped.')
    expect(await whileAlone(leases, never, async () => 'done', short)).toBe('done')
  })

  it('says once that it cannot be told, and once that it can', async () => {
    const leases = openLeases()
    const told: string[] = []
    const say = (_: object, words: string): void => void told.push(words)
    const lost = new AbortController()
    let tries = 0
    const place = await takePlace(
      {
        ...leases,
        tryAcquire: async (name) => {
          tries += 1
          if (tries > 1 && tries < 5) throw new Error('away')
          const lease = await leases.tryAcquire(name)
          return lease === null || tries > 1 ? lease : { ...lease, lost: lost.signal }
        },
      },
      ['web'],
      { info: say, warn: say },
    )
    lost.abort()
    const words = [
      'This process cannot say that it runs; trying again',
      'This process can say again that it runs',
    ]
    await expect.poll(() => told).toEqual(words)
    expect(tries).toBeGreaterThan(4)
    await place.release()
  })

  it('is told again after its place was lost', async () => {
    const leases = openLeases()
    const taken: string[] = []
    let lose = (): void => undefined
    const place = await takePlace(
      {
        ...leases,
        tryAcquire: async (name) => {
          const lease = await leases.tryAcquire(name)
          if (lease === null) return null
          taken.push(name)
          const lost = new AbortController()
          lose = () => lost.abort(new Error('away'))
          return { ...lease, lost: lost.signal }
        },
      },
      ['web'],
      quiet,
    )
    lose()
    await expect.poll(() => taken).toEqual(['server-0', 'server-1'])
    await place.release()
  })
})
