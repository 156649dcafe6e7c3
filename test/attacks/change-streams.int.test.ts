import { Agent, get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Site, signIn } from '../support/site.ts'
import { describeAttacks } from './under-attack.ts'

const ask = 'GET /api/changes HTTP/1.1\r\nhost: x\r\n\r\n'
const again = 'GET / HTTP/1.1\r\nhost: x\r\n'

/** What comes of a change stream on a connection of its own until it is closed. @param behind sent with the question, or once the stream has begun */
const heardWith = async (url: string, behind: string, isLater: boolean): Promise<string> => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  // A reset is one way of being let go.
  socket.on('error', () => undefined)
  let heard = ''
  let isToCome = isLater
  socket.on('data', (piece: Buffer) => {
    heard += piece.toString()
    if (isToCome && heard.includes(': here')) socket.write(behind)
    if (heard.includes(': here')) isToCome = false
  })
  socket.write(isLater ? ask : ask + behind)
  await new Promise((resolve) => socket.once('close', resolve))
  return heard
}

await describeAttacks('change streams', (start) => {
  let site: Site
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })
  beforeAll(async () => {
    site = await start({ TRUST_PROXY: '1' })
  })
  afterAll(async () => {
    agent.destroy()
    await site?.stop()
  })

  /** Opens a stream from an address. @returns the answer, which stays open where it is a stream */
  const listen = (address: string, cookie = ''): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const headers = { 'x-forwarded-for': address, cookie }
      get(`${site.url}/api/changes`, { agent, headers }, resolve).once('error', reject)
    })

  it.each([
    ['another request', `${again}\r\n`],
    ['one with an expectation of its own', `${again}expect: tea\r\n\r\n`],
    ['one for another protocol', `${again}connection: upgrade\r\nupgrade: tea\r\n\r\n`],
  ])('end where more comes on their connection, at once or later: %s', async (_, behind) => {
    expect(await heardWith(site.url, behind, true)).toContain(': here')
    expect(await heardWith(site.url, behind, false)).not.toContain('doctype')
  })

  it('end where a body without an end comes with the question', async () => {
    const socket = connect(Number(new URL(site.url).port), '127.0.0.1')
    // A reset is one way of being let go.
    socket.on('error', () => undefined)
    socket.write('GET /api/changes HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n')
    let heard = ''
    socket.on('data', (bytes: Buffer) => {
      if (!heard.includes(': here')) for (let n = 0; n < 2_000; n += 1) socket.write('1\r\na\r\n')
      heard += bytes.toString()
    })
    await new Promise((resolve) => socket.once('close', resolve))
    expect(heard).toContain(': here')
  })

  it('of strangers take neither her place nor each other’s', async () => {
    const addresses = Array.from({ length: 50 }, (_, n) => `198.51.100.${n}`)
    const statuses: number[] = []
    for (const address of addresses) {
      // Another spelling of an address is the same address.
      for (let n = 0; n < 22; n += 1) {
        const answer = await listen(n % 2 === 0 ? address : `::ffff:${address}`)
        answer.resume().once('error', () => undefined)
        statuses.push(answer.statusCode ?? 0)
      }
    }
    expect(statuses.slice(0, 22)).toEqual([...Array<number>(20).fill(200), 204, 204])
    expect(statuses.filter((status) => status === 200)).toHaveLength(950)

    const cookie = await signIn(site)
    const hers = await listen('198.51.100.0', cookie)
    expect(hers.statusCode).toBe(200)
    let heard = ''
    hers.on('data', (bytes: Buffer) => {
      heard += bytes.toString()
    })
    hers.once('error', () => undefined)
    const added = await fetch(`${site.url}/api/categories`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify({ name: 'Heard' }),
    })
    // A busy machine may answer before it is shown.
    expect([201, 202]).toContain(added.status)
    await expect.poll(() => heard).toContain('categories')
  })
})
