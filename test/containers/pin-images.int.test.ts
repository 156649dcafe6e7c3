import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const hasBuildx = spawnSync('docker', ['buildx', 'version']).status === 0

const manifest = JSON.stringify({
  schemaVersion: 2,
  mediaType: 'application/vnd.oci.image.index.v1+json',
  manifests: [],
})
const digest = `sha256:${createHash('sha256').update(manifest).digest('hex')}`

let folder: string
let registry: Server
let host: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-pins-'))
  await mkdir(join(folder, 'ops'))
  await copyFile(join(root, 'ops', 'pin-images'), join(folder, 'ops', 'pin-images'))
  await copyFile(join(root, 'docker-compose.yml'), join(folder, 'docker-compose.yml'))
  // A registry that has one image.
  registry = createServer((request, response) => {
    if (request.url === '/v2/') return response.end('{}')
    if (!/^\/v2\/caddy\/manifests\/(?:2|sha256:.*)$/.test(request.url ?? ''))
      return response.writeHead(404).end()
    response.writeHead(200, {
      'content-type': 'application/vnd.oci.image.index.v1+json',
      'docker-content-digest': digest,
      'content-length': manifest.length,
    })
    return response.end(request.method === 'HEAD' ? undefined : manifest)
  })
  registry.listen(0, '127.0.0.1')
  await once(registry, 'listening')
  // Listening on TCP, it has an address of that form.
  host = `localhost:${(registry.address() as AddressInfo).port}`
})
afterEach(async () => {
  registry.closeAllConnections()
  registry.close()
  await rm(folder, { recursive: true })
})

const pin = (...args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
  promisify(execFile)(join(folder, 'ops', 'pin-images'), args).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    // What it ended with and printed.
    (error: unknown) => error as { code: number; stdout: string; stderr: string },
  )

/** Every image at an address of this machine, so that no registry elsewhere is asked. */
const settings = (caddy: string): string =>
  ['SECRET=abc', `CADDY_IMAGE=${caddy}`]
    .concat(['NODE', 'EVENTSTORE', 'MONGODB', 'REDIS'].map((name) => `${name}_IMAGE=${host}/none:1`))
    .join('\n')

describe.skipIf(!hasBuildx)(`ops/pin-images${hasBuildx ? '' : ' (skipped: no docker buildx)'}`, () => {
  it('writes the digest that a registry tells, leaves all else, and says what it could not look up', async () => {
    const file = join(folder, '.env')
    await writeFile(file, `${settings(`${host}/caddy:2`)}\n`, { mode: 0o600 })
    const { code, stdout, stderr } = await pin()
    const pinned = `CADDY_IMAGE=${host}/caddy:2@${digest}`
    expect(stdout.trim()).toBe(pinned)
    expect(code).toBe(1)
    for (const name of ['NODE', 'EVENTSTORE', 'MONGODB', 'REDIS'])
      expect(stderr).toContain(`${name}_IMAGE stays ${host}/none:1, which could not be looked up`)
    const lines = (await readFile(file, 'utf8')).trim().split('\n')
    const before = settings(`${host}/caddy:2`).split('\n')
    expect(lines.toSorted()).toEqual(
      before.map((line) => (line.startsWith('CADDY') ? pinned : line)).toSorted(),
    )
  })

  it('looks up anew what is pinned already, and only says so when that is asked for', async () => {
    const file = join(folder, 'other.env')
    const before = settings(`${host}/caddy:2@sha256:${'0'.repeat(64)}`)
    await writeFile(file, before)
    const { stdout } = await pin('--print', file)
    expect(stdout.trim()).toBe(`CADDY_IMAGE=${host}/caddy:2@${digest}`)
    expect(await readFile(file, 'utf8')).toBe(before)
  })
})

describe('the scripts of ops', () => {
  it.each(['pin-images', 'rolling-update'])(
    '%s says what it does, and does nothing with words it does not know',
    (name) => {
      const run = (...args: readonly string[]) =>
        spawnSync(join(root, 'ops', name), args, { encoding: 'utf8' })
      expect(run('--help')).toMatchObject({
        status: 0,
        stdout: expect.stringContaining(`Usage: ops/${name}`),
      })
      expect(run('--unknown')).toMatchObject({ status: 2, stderr: expect.stringContaining('Usage') })
    },
  )
})
