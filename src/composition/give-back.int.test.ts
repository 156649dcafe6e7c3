import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { giveBackAtRest } from './give-back.ts'

const mib = 2 ** 20
const log = { debug: () => undefined }

/**
 * Looks at a process once for each of these.
 * @returns what was resident, in MiB, each time memory was given back; half of it was left
 */
const givenBack = async (
  looks: readonly { readonly busy: number; readonly resident: number }[],
): Promise<readonly number[]> => {
  const ending = new AbortController()
  const given: number[] = []
  const ahead = looks.values()
  let look = { busy: 1, resident: 0 }
  let isCollected = false
  await giveBackAtRest(log, ending.signal, {
    everyMs: 1,
    busy: () => look.busy,
    resident: () => {
      if (isCollected) {
        isCollected = false
        return (look.resident / 2) * mib
      }
      const next = ahead.next()
      if (next.done) ending.abort()
      look = next.value ?? { busy: 1, resident: 0 }
      return look.resident * mib
    },
    collect: () => {
      given.push(look.resident)
      isCollected = true
    },
  })
  return given
}

describe('memory that a process at rest does not need', () => {
  it('is given back after the start and after each rush, when the process is at rest', async () => {
    const looks = [
      { busy: 0.9, resident: 90 },
      { busy: 0.02, resident: 100 },
      { busy: 0.02, resident: 60 },
      { busy: 0.8, resident: 250 },
      { busy: 0.05, resident: 240 },
      { busy: 0.01, resident: 130 },
    ]
    expect(await givenBack(looks)).toEqual([100, 240])
  })

  it('is looked for again where a look could not be had', async () => {
    const ending = new AbortController()
    let [looks, collected] = [0, 0]
    await giveBackAtRest(log, ending.signal, {
      everyMs: 1,
      busy: () => 0,
      resident: () => {
        looks += 1
        if (looks === 1) throw new Error('EMFILE: too many open files')
        return 100 * mib
      },
      collect: () => {
        collected += 1
        ending.abort()
      },
    })
    expect(collected).toBe(1)
  })

  it('is the pages that V8 has emptied, which it keeps otherwise', async () => {
    const script = `
      const { collector } = await import('#composition/give-back.ts')
      const collect = collector()
      let held = Array.from({ length: 600_000 }, (_, n) => ({ n, text: 'x' + n }))
      const before = process.memoryUsage.rss()
      held = null
      collect()
      console.log(before - process.memoryUsage.rss(), typeof globalThis.gc)`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
    const [freed, gc] = stdout.trim().split(' ')
    expect(Number(freed)).toBeGreaterThan(30 * mib)
    expect(gc).toBe('undefined')
  })
})
