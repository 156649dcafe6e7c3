import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '../../lib/api.ts'
import type { ChangeListener, ListensFor } from '../../lib/changes.ts'
import { whenShown, type Hearing } from './when-shown.ts'

const CHANGED = ['artworks'] as const
const made = { status: 202, answer: { id: '1', position: '7' } }
const shown = { status: 200, answer: { title: 'Haldi' }, activity: 'act' }

/** Answers or throws one after the other. */
const answers = (...all: readonly unknown[]) => {
  let asked = 0
  return async () => {
    const next = all[asked++]
    if (next instanceof Error) throw next
    return next as typeof shown // what the test has put in
  }
}

/** A stream that says something (true) or nothing for as long as it is waited for; after these, a word each time. */
const saying = (...said: readonly boolean[]) => {
  const heard = { position: '', changed: [] as unknown, waits: [] as (number | null)[], stopped: false }
  const listen = (position: string, changed: readonly unknown[]): Hearing => {
    Object.assign(heard, { position, changed })
    return {
      next: async (graceMs) => {
        heard.waits.push(graceMs)
        return said[heard.waits.length - 1] ?? true
      },
      stop: () => {
        heard.stopped = true
      },
    }
  }
  return { heard, listen }
}

describe('a change that is made before the lists show it', () => {
  it('is asked for once there is word of its position in its lists', async () => {
    const { heard, listen } = saying()
    expect(await whenShown(answers(made, shown), CHANGED, listen)).toEqual(shown)
    expect(heard).toEqual({ position: '7', changed: CHANGED, waits: [5_000], stopped: true })
  })

  it('that was shown at once is not asked for', async () => {
    const { heard, listen } = saying()
    expect(await whenShown(answers(shown), CHANGED, listen)).toEqual(shown)
    expect(heard.waits).toEqual([])
  })

  it('is not called failed because a server or the network is away meanwhile', async () => {
    const away = [new ApiError(503, '', 'MongoDB is away'), new TypeError('cut off')]
    expect(await whenShown(answers(made, ...away, shown), CHANGED, saying().listen)).toEqual(shown)
  })

  it('asks once after five seconds without a word, and then only when there is one', async () => {
    const { heard, listen } = saying(false)
    await whenShown(answers(made, made, made, shown), CHANGED, listen)
    expect(heard.waits).toEqual([5_000, null, null])
  })

  it('asks once more after five seconds where its question behind a word got no answer', async () => {
    const { heard, listen } = saying(false, true, false)
    const cut = new TypeError('cut off')
    await whenShown(answers(made, made, cut, cut, shown), CHANGED, listen)
    expect(heard.waits).toEqual([5_000, null, 5_000, null])
  })

  it.each([new ApiError(503, '', 'away'), new TypeError('cut off'), new ApiError(409, '', 'changed')])(
    'fails as the call does before it is made (%s)',
    async (error) => {
      await expect(whenShown(answers(error), CHANGED, saying().listen)).rejects.toBe(error)
    },
  )

  it('ends with the session', async () => {
    const { heard, listen } = saying()
    const ended = new ApiError(401, '', 'Unauthorized')
    await expect(whenShown(answers(made, ended), CHANGED, listen)).rejects.toBe(ended)
    expect(heard.stopped).toBe(true)
  })
})

describe('the word of the change stream', () => {
  let tell: ChangeListener | undefined
  let open: (() => void) | undefined
  beforeEach(() => {
    tell = undefined
    vi.stubGlobal('window', {
      atelierChanges: {
        onChanges: (listener: ChangeListener, place: ListensFor) => {
          // A save that waits keeps no word from the page below a dashboard that was closed meanwhile.
          if (place === 'save') tell = listener
          return () => undefined
        },
        onOpened: (listener: () => void) => {
          open = listener
          return () => undefined
        },
      },
    })
  })
  afterEach(() => vi.unstubAllGlobals())

  /** How often the server was asked for a change at position 7 while this was said. */
  const asked = async (say: () => void): Promise<number> => {
    let times = 0
    const ask = async () => {
      times += 1
      return (times < 3 ? made : shown) as typeof shown // as a server answers that is late
    }
    void whenShown(ask, CHANGED)
    await expect.poll(() => tell).toBeDefined()
    say()
    // Whatever is to follow from it has followed.
    await new Promise((resolve) => setTimeout(resolve))
    return times - 1
  }

  it.each([
    ['another change before it', () => tell?.(['artworks'], '6'), 0],
    ['a list that does not show it', () => tell?.(['categories', 'jobs', 'activity'], '8'), 0],
    ['a list that shows it', () => tell?.(['activity', 'artworks'], '7'), 1],
    ['a stream that was opened anew', () => open?.(), 1],
  ])('%s', async (_of, say, times) => {
    expect(await asked(say)).toBe(times)
  })
})
