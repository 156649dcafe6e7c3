import { appendFile, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Compose } from './compose.ts'
import { eventually, expectThat, isBusy, recoverWithinMs, type Visit } from './visit.ts'

const root = join(import.meta.dirname, '..', '..')
const notBuiltFrom = ['node_modules', '.git', 'dist', 'data']
const readers = 3
/** How long each of them rests between two requests, in ms. */
const restMs = 100

/** What a page has its browser load. */
const filesOf = (page: string): readonly string[] => [
  ...new Set(page.match(/\/assets\/[\w-]+\.(?:js|css|woff2)/g)),
]

/** Builds two further images: a version whose pages load other files, and one that does not start. */
const buildImages = async ({ docker }: Compose, other: string, broken: string): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-update-'))
  try {
    const sources = join(folder, 'other')
    await cp(root, sources, { recursive: true, filter: (from) => !notBuiltFrom.includes(basename(from)) })
    await appendFile(join(sources, 'src/web/client/entry-client.tsx'), "\nconsole.info('another version')\n")
    const node = process.env['NODE_IMAGE']
    const settings = node === undefined ? [] : ['--build-arg', `NODE_IMAGE=${node}`]
    await docker('build', '--quiet', '--tag', other, ...settings, sources)
    await mkdir(join(folder, 'broken'))
    await writeFile(
      join(folder, 'broken', 'Dockerfile'),
      `FROM ${other}\nCMD ["node", "-e", "process.exit(1)"]\n`,
    )
    await docker('build', '--quiet', '--tag', broken, join(folder, 'broken'))
  } finally {
    await rm(folder, { recursive: true })
  }
}

/**
 * Does something while visitors read pages and what these load, the owner changes a price and adds works.
 * @throws unless every request was answered well, but for a machine without time, and every work that was acknowledged
 * is there once
 */
const underLoad = async (
  visit: Visit,
  writeAndSee: () => Promise<void>,
  work: () => Promise<void>,
): Promise<void> => {
  const imageUrl = await visit.upload('monsoon.jpg')
  const refused: string[] = []
  const acknowledged: string[] = []
  /** of every version that a page was seen of */
  const files = new Set<string>()
  let asked = 0
  let busy = 0
  let isOver = false

  const repeat = async (each: (n: number) => Promise<unknown>): Promise<void> => {
    for (let n = 0; !isOver; n += 1) {
      await each(n).catch((error: unknown) => {
        if (isBusy(error)) busy += 1
        else refused.push(`${new Date().toISOString()} ${String(error)}`)
      })
      asked += 1
      // The machine has other work to do, and so have visitors.
      await pause(restMs)
    }
  }
  const get = async (path: string): Promise<string> => {
    const { status, text } = await visit.page(path)
    expectThat(status === 200, `${path} answers ${status}: ${text.slice(0, 200)}`)
    return text
  }
  const read = async (n: number): Promise<void> => {
    for (const file of filesOf(await get('/'))) files.add(file)
    const known = [...files]
    await get(known[n % known.length] ?? '/')
  }
  const add = async (n: number): Promise<void> => {
    const title = `Added meanwhile ${performance.now()} ${n}`
    await visit.addArtwork(title, imageUrl)
    acknowledged.push(title)
  }
  const loads = [repeat(add), repeat(writeAndSee), ...Array.from({ length: readers }, () => repeat(read))]
  try {
    await work()
  } finally {
    isOver = true
    await Promise.all(loads)
  }
  expectThat(refused.length === 0, `Of ${asked} requests were refused: ${refused.slice(0, 10).join('\n')}`)
  await eventually(recoverWithinMs, async () => {
    const titles = (await visit.artworks()).map(({ title }) => title)
    const wrong = acknowledged.filter((each) => titles.filter((title) => title === each).length !== 1)
    expectThat(wrong.length === 0, `Acknowledged and not there once: ${wrong.join(', ')}`)
  })
  console.log(
    `      ${asked} requests, ${busy} of them met a machine without time; ${acknowledged.length} works added, each there once`,
  )
}

/** README's update and way back, while the site is used; a version that does not start changes nothing. */
export const updates = async (of: Compose, visit: Visit, writeAndSee: () => Promise<void>): Promise<void> => {
  const { name, compose, up, containers, docker, set, rollingUpdate } = of
  const [other, broken] = [`${name}:other`, `${name}:broken`]
  const shown = async (): Promise<readonly string[]> => filesOf(await visit.pageWhole('/'))
  await buildImages(of, other, broken)
  try {
    const before = await shown()
    await underLoad(visit, writeAndSee, async () => {
      const serving = await containers('web')
      set('ATELIER_IMAGE', broken)
      const said = await rollingUpdate().catch(String)
      expectThat(
        /did not become ready[^]*serve as before/.test(said),
        `A version that does not start: ${said}`,
      )
      expectThat(String(await containers('web')) === String(serving), 'It did not leave the old one alone')

      set('ATELIER_IMAGE', other)
      await rollingUpdate()
      const after = await shown()
      expectThat(String(after) !== String(before), 'The page is that of the former version')
      for (const file of [...before, ...after]) await visit.pageWhole(file)
    })
    const updated = await containers('web')
    await up()
    expectThat(String(await containers('web')) === String(updated), 'Compose makes anew what was updated')
    await compose('restart', 'web')
    await eventually(recoverWithinMs, writeAndSee)

    set('ATELIER_IMAGE', 'atelier:previous')
    await underLoad(visit, writeAndSee, async () => {
      await rollingUpdate()
      expectThat(String(await shown()) === String(before), 'The page is not that of the version before')
    })
  } finally {
    set('ATELIER_IMAGE', '')
    // What still runs keeps its image.
    await docker('image', 'rm', '--force', other, broken, 'atelier:previous')
  }
}
