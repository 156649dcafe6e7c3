import { expect, it } from 'vitest'
import type { Rendered } from '../door/cached-page.ts'
import { openReadyPages } from './ready-pages.ts'

const versionAt = (place: number): string => `artworks@1:${String(place).padStart(4, '0')}`

const openPages = () => {
  const made: string[] = []
  const { promise: held, resolve: go } = Promise.withResolvers<void>()
  const pages = openReadyPages({
    common: {},
    made: { build: '', settings: '' },
    dev: false,
    folder: undefined,
    debounceMs: 60_000,
    onError: (error) => {
      throw error
    },
  })
  /** The version of the page that whoever asks for this one is given. @param nth of the snapshots */
  const ask = async (key: string, place: number, nth = place): Promise<string> => {
    const make = async (): Promise<Rendered> => {
      await held
      made.push(`${key} ${place}`)
      return { status: 200, contentType: 'text/html', policy: '', body: Buffer.from(`${place}`) }
    }
    const asked = { reader: { writable: true, address: `${place}` } }
    const page = await pages.keep(key, asked, { version: versionAt(place), nth, make })
    return page.version
  }
  return { pages, made, ask, go }
}

it('makes a page once for all who wait for it, as new as the last of them asked, however often the site changes meanwhile', async () => {
  const { made, ask, go } = openPages()
  const first = ask('/', 1)
  const others = [
    ask('/', 2),
    ask('/', 4),
    ask('/', 3),
    ask('/artwork/a', 2),
    ask('/', 5),
    ask('/artwork/a', 4),
  ]
  const same = ask('/', 1)
  go()
  expect(await Promise.all([first, same])).toEqual([versionAt(1), versionAt(1)])
  expect(await Promise.all(others)).toEqual([5, 5, 5, 4, 5, 4].map(versionAt))
  expect(made).toEqual(['/ 1', '/artwork/a 4', '/ 5'])
})

it('makes a page anew for who asks behind a change that came while it was made', async () => {
  const { made, ask, go } = openPages()
  const first = ask('/', 1)
  await new Promise((resolve) => setImmediate(resolve))
  const second = ask('/', 2)
  go()
  expect([await first, await second]).toEqual([versionAt(1), versionAt(2)])
  expect([await ask('/', 2), await ask('/', 3)]).toEqual([versionAt(2), versionAt(3)])
  expect(made).toEqual(['/ 1', '/ 2', '/ 3'])
})

it('makes a page anew for who asks behind an older copy of the site that was put back', async () => {
  const { made, ask, go } = openPages()
  const asked = [ask('/', 8, 1), ask('/artwork/a', 9, 1), ask('/', 4, 2), ask('/artwork/a', 4, 2)]
  go()
  expect(await Promise.all(asked)).toEqual([8, 4, 4, 4].map(versionAt))
  expect(made).toEqual(['/ 8', '/artwork/a 4', '/ 4'])
})

it('makes a page of which there is one in every form that those ask for who wait for it, in one turn', async () => {
  const { pages } = openPages()
  const forms = [
    { acceptEncoding: 'br' },
    { acceptEncoding: 'gzip' },
    { acceptEncoding: 'br', session: true },
  ]
  const make = async (): Promise<Rendered> => {
    return { status: 200, contentType: 'text/html', policy: '', body: Buffer.from('the homepage') }
  }
  const made = forms.map((asked) => pages.keep('/', asked, { version: versionAt(1), nth: 1, make }))
  const answers = (await Promise.all(made)).map((page, n) => page.answer(forms[n] ?? {}))
  expect(answers.map((answer) => answer?.status)).toEqual([200, 200, 200])
})
