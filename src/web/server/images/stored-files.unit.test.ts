import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { keepImages, tagOf } from './stored-files.ts'

it('reads few images at once, however many are asked for', async () => {
  const names = Array.from({ length: 200 }, (_, n) => `images/${n}/640.jpg`)
  let [underWay, most] = [0, 0]
  const open = async (key: string) => {
    underWay += 1
    most = Math.max(most, underWay)
    const bytes = async function* () {
      await nextTurn()
      yield Buffer.from(key)
      underWay -= 1
    }
    return { size: key.length, stream: Readable.from(bytes(), { objectMode: false }) }
  }
  const images = keepImages({ open })
  const read = await Promise.all(names.map((key) => images.fetch(tagOf(key, key.length), { context: key })))
  expect(read.map(String)).toEqual(names)
  expect(most).toBeLessThanOrEqual(16)
  expect(underWay).toBe(0)
})
