import { describe, expect, it } from 'vitest'
import { linesTo } from './lines.ts'

const refused = (code: string): Error => Object.assign(new Error(code), { code })

/** An output that takes what it is asked to, in parts, unless it is told why it cannot. */
const output = () => {
  const seen = { text: '', why: null as string | null }
  const lines = linesTo(1, (_fd, bytes, done) => {
    const part = bytes.subarray(0, Math.ceil(bytes.length / 2))
    queueMicrotask(() => {
      if (seen.why !== null) return done(refused(seen.why), 0)
      seen.text += part.toString()
      done(null, part.length)
    })
  })
  return { seen, lines }
}

const turn = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('the lines of a log', () => {
  it('wait for the next one where the disk has no room for them, and come then in their order', async () => {
    const { seen, lines } = output()
    lines.write('one is written\n')
    await turn()
    seen.why = 'ENOSPC'
    for (const each of ['two', 'three']) {
      lines.write(`${each} waits\n`)
      await turn()
    }
    expect(seen.text).toBe('one is written\n')
    seen.why = null
    lines.write('four\n')
    await turn()
    expect(seen.text).toBe('one is written\ntwo waits\nthree waits\nfour\n')
  })

  it('fill no memory meanwhile', async () => {
    const { seen, lines } = output()
    seen.why = 'ENOSPC'
    lines.write('the first\n')
    await turn()
    for (let n = 0; n < 10; n += 1) lines.write(`${'x'.repeat(300_000)}\n`)
    await turn()
    seen.why = null
    lines.write('the last\n')
    for (let n = 0; n < 10; n += 1) await turn()
    expect(seen.text.length).toBeLessThan(2_000_000)
    expect(seen.text.startsWith('the first\n')).toBe(true)
    expect(seen.text.endsWith('the last\n')).toBe(true)
  })
})
