import { describe, expect, it } from 'vitest'
import { startAll } from './start-all.ts'

/** A thing that notes when it starts and ends. */
const thing = (name: string, notes: string[]) => () => {
  notes.push(`+${name}`)
  return () => {
    notes.push(`-${name}`)
  }
}

describe('starting all of them', () => {
  it('starts in order and ends the last one first', async () => {
    const notes: string[] = []
    const stop = await startAll([thing('a', notes), thing('b', notes)])
    expect(notes).toEqual(['+a', '+b'])
    await stop()
    expect(notes).toEqual(['+a', '+b', '-b', '-a'])
  })

  it('ends what runs already when one cannot start', async () => {
    const notes: string[] = []
    const broken = async () => {
      throw new Error('away')
    }
    await expect(startAll([thing('a', notes), thing('b', notes), broken])).rejects.toThrow('away')
    expect(notes).toEqual(['+a', '+b', '-b', '-a'])
  })

  it('ends the others when one does not end', async () => {
    const notes: string[] = []
    const stubborn = () => async () => {
      throw new Error('stuck')
    }
    const stop = await startAll([thing('a', notes), stubborn])
    await expect(stop()).rejects.toThrow('stuck')
    expect(notes).toEqual(['+a', '-a'])
  })
})
