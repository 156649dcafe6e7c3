import { describe, expect, it } from 'vitest'
import type { Position } from '#application/kernel/ports/event-store.ts'
import type { HighWater } from '#application/kernel/ports/log-mark.ts'
import { keepMark, type MarkStore } from './log-mark.ts'

const at = (text: string): Position => text as Position // of no engine: only compared

const memory = () => {
  const raised: (Position | null)[] = []
  let water: HighWater = 'unknown'
  let broken = false
  const store: MarkStore = {
    read: async () => water,
    begin: async (position) => store.raise(position),
    raise: async (position) => {
      if (broken) throw new Error('no room')
      raised.push(position)
      water = position === null ? 'empty' : { position }
    },
    place: async (position) => {
      water = position === null ? 'empty' : { position }
    },
  }
  return { store, raised, breaks: (now: boolean) => (broken = now) }
}

describe('the mark of a log', () => {
  it('is written once for all that comes in a moment, at the furthest place', async () => {
    const { store, raised } = memory()
    const mark = keepMark(store, { warn: () => undefined })
    for (const text of ['01', '03', '02']) mark.reached(at(text))
    expect(raised).toEqual([])
    await expect.poll(() => raised).toEqual(['03'])
    await mark.close()
    expect(raised).toEqual(['03'])
  })

  it('is written before it is closed', async () => {
    const { store } = memory()
    const mark = keepMark(store, { warn: () => undefined })
    mark.reached(null)
    mark.reached(at('07'))
    await mark.close()
    expect(await mark.read()).toEqual({ position: '07' })
  })

  it('fails nobody when it cannot be written, says so once, and is written later', async () => {
    const { store, raised, breaks } = memory()
    const warned: string[] = []
    const mark = keepMark(store, { warn: (_, message) => warned.push(message) })
    breaks(true)
    mark.reached(at('01'))
    await expect.poll(() => warned).toHaveLength(1)
    mark.reached(at('02'))
    await mark.close()
    expect(warned).toHaveLength(1)
    breaks(false)
    await mark.close()
    expect(raised).toEqual(['02'])
  })

  it('is put back only by whoever chooses the log', async () => {
    const { store } = memory()
    const mark = keepMark(store, { warn: () => undefined })
    mark.reached(at('09'))
    await mark.place(at('04'))
    await mark.close()
    expect(await mark.read()).toEqual({ position: '04' })
  })
})
