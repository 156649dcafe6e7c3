import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { allFixtures, type Fixture, signedIn, siteAsSeen, unpackFolder } from '../fixtures/fixture.ts'
import type { Compose } from './compose.ts'
import { eventually, expectThat, recoverWithinMs } from './visit.ts'

const roles = ['proxy', 'web', 'projector', 'worker']

/** What README has an operator do, with a folder that earlier versions wrote. */
const move = (
  { compose }: Compose,
  folder: string,
  to: string,
  ...more: readonly string[]
): Promise<string> =>
  compose(
    'run',
    '--rm',
    '--no-TTY',
    ...more,
    '--user',
    String(process.getuid?.() ?? 1000),
    '--volume',
    `${folder}:/site`,
    '--env',
    'DATA_DIR=/site',
    'worker',
    'atelier',
    'move',
    '--to',
    to,
  )

/** Kills a move as soon as its container runs. */
const killedMove = async (of: Compose, folder: string): Promise<void> => {
  const name = `atelier-killed-move-${process.pid}`
  const moving = move(of, folder, 'servers', '--name', name)
  const ended = moving.then(
    () => 'it was not killed',
    (error: unknown) => String(error),
  )
  await eventually(recoverWithinMs, async () => {
    expectThat((await of.docker('ps', '--quiet', '--filter', `name=${name}`)) !== '', 'The move does not run')
  })
  await of.docker('kill', name)
  expectThat(/ended with 137/.test(await ended), `The move that was killed: ${await ended}`)
}

const showsAll = async (url: string, fixture: Fixture): Promise<void> => {
  const { content, ...seen } = await siteAsSeen(url, await signedIn(url, fixture))
  for (const [what, each] of Object.entries(seen)) {
    const wanted: unknown = Reflect.get(fixture, what)
    expectThat(isDeepStrictEqual(each, wanted), `${fixture.name} shows other ${what} than before`)
  }
  // A text that a later version adds has no place in an older site.
  for (const [name, text] of Object.entries(fixture.content))
    expectThat(content[name] === text, `${fixture.name} shows ${name} otherwise than before`)
}

/**
 * The sites that the oldest kept version and today's wrote move onto the servers by one command, one that was killed in the
 * middle too, and are there; the last one moves back. All versions in between: `move.int.test.ts`.
 */
export const moves = async (of: Compose): Promise<void> => {
  const { compose, up, url, set } = of
  const folder = await mkdtemp(join(tmpdir(), 'atelier-moves-'))
  try {
    const all = await allFixtures()
    for (const [n, fixture] of [...all.slice(0, 1), ...all.slice(-1)].entries()) {
      const home = join(folder, fixture.name)
      await unpackFolder(fixture.data, home)
      set('NAMESPACE', `moved-${n}`)
      if (n === 0) await killedMove(of, home)
      const said = await move(of, home, 'servers')
      expectThat(said.startsWith('Moved '), `The move says: ${said}`)
      await up()
      await eventually(recoverWithinMs, () => showsAll(url, fixture))
      await compose('stop', ...roles)
    }
    const back = join(folder, 'back')
    await mkdir(back)
    const said = await move(of, back, 'folder')
    expectThat(said.startsWith('Moved '), `The move back says: ${said}`)
    await move(of, back, 'folder').then(
      () => expectThat(false, 'A site that is there is moved over'),
      (error: unknown) => expectThat(/There is a site already/.test(String(error)), String(error)),
    )
  } finally {
    await rm(folder, { recursive: true })
  }
}
