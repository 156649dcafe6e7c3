import { mkdir, readdir, rename, truncate } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Answer,
  type Client,
  openWebSite,
  imageBytes,
  uploadOf,
  type WebSite,
} from '../../../../test/support/web-site.ts'

let site: WebSite
let owner: Client
beforeAll(async () => {
  site = await openWebSite()
  owner = await site.owner()
})
afterAll(async () => site.close())

const upload = (raw: FormData, headers: Record<string, string> = {}): Promise<Answer> =>
  owner.call('uploadImage', { raw, headers })

/** Uploads leave nothing behind; what is under way in the background has its own files. */
const uploadsLeft = async (): Promise<readonly string[]> =>
  (await site.scratchFiles()).filter((name) => name.startsWith('upload-'))

/** The beginning of a PNG that claims to be this large. */
const pngClaiming = async (width: number, height: number): Promise<Buffer> => {
  const { crc32 } = await import('node:zlib')
  const bytes = Buffer.from(await imageBytes({ width: 8, height: 8, format: 'png' }))
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29)
  return bytes
}

describe('an upload', () => {
  it('answers the address, the upright size and a placeholder', async () => {
    const answer = await upload(uploadOf(await imageBytes({ width: 640, height: 400 })))
    expect(answer.status).toBe(201)
    expect(answer.json).toMatchObject({ width: 640, height: 400 })
    expect(answer.json.imageUrl).toMatch(/^\/images\/[0-9a-f]{64}\/original-view\.jpg$/)
    expect(answer.json.placeholder).toMatch(/^data:image\/webp;base64,/)
    expect(answer.json.placeholder.length).toBeLessThanOrEqual(400)
    expect(await uploadsLeft()).toEqual([])
  })

  it('of the same bytes is the same picture', async () => {
    const bytes = await imageBytes({ colour: '#123456' })
    const [first, second] = [await upload(uploadOf(bytes)), await upload(uploadOf(bytes))]
    expect(second.status).toBe(201)
    expect(second.json).toEqual(first.json)
  })

  it.each([
    ['a PNG called .txt', 'notes.txt', 'text/plain'],
    ['a name that climbs', '../../../../etc/passwd', 'image/png'],
    ['no type', 'photo', ''],
  ])('goes by the bytes: %s is a PNG', async (_, name, type) => {
    const bytes = await imageBytes({ format: 'png', colour: '#00ff00' })
    expect((await upload(uploadOf(bytes, { name, type }))).status).toBe(201)
  })

  it('needs a session, before anything is taken in', async () => {
    const answer = await site.visitor().call('uploadImage', { raw: uploadOf(await imageBytes()) })
    expect(answer.status).toBe(401)
  })

  it('sent again under one key is the same picture', async () => {
    const bytes = await imageBytes({ colour: '#654321' })
    const headers = { 'idempotency-key': 'upload-1' }
    const first = await upload(uploadOf(bytes), headers)
    const second = await upload(uploadOf(bytes), headers)
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.json).toEqual(first.json)
    const other = await upload(uploadOf(await imageBytes({ colour: '#ffffff' })), headers)
    expect(other.status).toBe(422)
    expect(await uploadsLeft()).toEqual([])
  })
})

describe('what is no picture', () => {
  const text = Buffer.from('this is no picture at all, whatever it is called')

  it.each<[string, number, () => Promise<FormData>]>([
    ['text called .png', 415, async () => uploadOf(text, { name: 'a.png', type: 'image/png' })],
    ['SVG', 415, async () => uploadOf(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))],
    ['a truncated JPEG', 422, async () => uploadOf((await imageBytes({ width: 900 })).subarray(0, 1200))],
    ['a pixel bomb', 422, async () => uploadOf(await pngClaiming(30_000, 30_000))],
    ['an empty file', 422, async () => uploadOf(Buffer.alloc(0))],
    ['no file', 422, async () => new FormData()],
    ['another field', 422, async () => uploadOf(await imageBytes(), { field: 'picture' })],
    [
      'two files',
      422,
      async () => {
        const form = uploadOf(await imageBytes())
        form.append('image', new Blob([new Uint8Array(await imageBytes())]), 'b.jpg')
        return form
      },
    ],
    [
      'a field beside it',
      422,
      async () => {
        const form = uploadOf(await imageBytes())
        form.append('title', 'Sea')
        return form
      },
    ],
    ['26 MB', 413, async () => uploadOf(Buffer.alloc(26 * 1024 * 1024, 1))],
  ])('%s is refused with %i, and leaves no file behind', async (_, status, form) => {
    const answer = await upload(await form())
    expect(answer.status).toBe(status)
    expect(answer.json.message.length).toBeGreaterThan(10)
    if (status === 413) expect(answer.json.message).toBe('File size must be less than 25MB')
    expect(await uploadsLeft()).toEqual([])
  })

  it('is refused in the middle when its size was not told before', async () => {
    const boundary = 'xxBOUNDARYxx'
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="image"; filename="a.jpg"\r\ncontent-type: image/jpeg\r\n\r\n`
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Buffer.from(head)),
      pull: (controller) => {
        sent += 1
        if (sent > 27) controller.close()
        else controller.enqueue(Buffer.alloc(1024 * 1024, 7))
      },
    })
    let sent = 0
    // Node's fetch needs to be told that the answer may only come behind the body.
    const halfway = { duplex: 'half' }
    const response = await fetch(`${site.url}/api/upload/image`, {
      ...halfway,
      method: 'POST',
      body,
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, cookie: owner.cookies() },
    })
    expect(response.status).toBe(413)
    expect(await response.json()).toEqual({ message: 'File size must be less than 25MB' })
    await expect.poll(uploadsLeft).toEqual([])
  })

  it.each([
    ['JSON', 'application/json', '{}', 415],
    ['no boundary', 'multipart/form-data', 'x', 400],
    ['a body that ends too soon', 'multipart/form-data; boundary=b', '--b\r\ncontent-disp', 400],
    ['rubbish', 'multipart/form-data; boundary=b', 'rubbish', 400],
  ])('as %s is refused', async (_, type, raw, status) => {
    const answer = await owner.call('uploadImage', { raw, headers: { 'content-type': type } })
    expect(answer.status).toBe(status)
    expect(await uploadsLeft()).toEqual([])
  })

  it('broken off by its sender leaves no file behind', async () => {
    const { hostname, port } = new URL(site.url)
    const socket = connect(Number(port), hostname)
    socket.write(
      [
        'POST /api/upload/image HTTP/1.1',
        `host: ${hostname}:${port}`,
        `cookie: ${owner.cookies()}`,
        'content-type: multipart/form-data; boundary=b',
        'content-length: 5000000',
        '',
        '--b\r\ncontent-disposition: form-data; name="image"; filename="a.jpg"\r\ncontent-type: image/jpeg\r\n\r\n',
      ].join('\r\n'),
    )
    socket.write(Buffer.alloc(1024 * 1024, 7))
    await expect.poll(uploadsLeft).toHaveLength(1)
    socket.destroy()
    await expect.poll(uploadsLeft).toEqual([])
  })
})

describe('the files of a picture', () => {
  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(site.url + path, { headers })
  let folder: string
  beforeAll(async () => {
    const answer = await upload(uploadOf(await imageBytes({ width: 1000, height: 700, colour: '#aa2200' })))
    folder = answer.json.imageUrl.replace('/original-view.jpg', '')
  })

  it('show a first picture at once, and the largest for ever once it is made', async () => {
    const first = await get(`${folder}/original-view.jpg`)
    expect(first.status).toBe(200)
    expect(first.headers.get('content-type')).toBe('image/jpeg')
    await first.arrayBuffer()
    await expect
      .poll(async () => {
        const response = await get(`${folder}/original-view.jpg`)
        await response.arrayBuffer()
        return response.headers.get('cache-control')
      })
      .toBe('public, max-age=31536000, immutable')
  })

  it.each([
    ['avif', 'image/avif'],
    ['webp', 'image/webp'],
    ['jpg', 'image/jpeg'],
  ])('come as %s, kept for ever, never sniffed', async (format, type) => {
    const response = await get(`${folder}/640.${format}`)
    await response.arrayBuffer()
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe(type)
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('come in parts', async () => {
    const whole = Buffer.from(await (await get(`${folder}/640.jpg`)).arrayBuffer())
    const part = await get(`${folder}/640.jpg`, { range: 'bytes=10-19' })
    expect(part.status).toBe(206)
    expect(part.headers.get('content-range')).toBe(`bytes 10-19/${whole.length}`)
    expect(Buffer.from(await part.arrayBuffer())).toEqual(whole.subarray(10, 20))
    const beyond = await get(`${folder}/640.jpg`, { range: `bytes=${whole.length}-` })
    expect(beyond.status).toBe(416)
    expect(beyond.headers.get('content-range')).toBe(`bytes */${whole.length}`)
    expect(beyond.headers.get('cache-control')).toBe('no-store')
    await beyond.text()
    const head = await fetch(`${site.url}${folder}/640.jpg`, {
      method: 'HEAD',
      headers: { range: 'bytes=10-19' },
    })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(whole.length)])
  })

  it('are not sent again to who has them', async () => {
    const response = await get(`${folder}/640.jpg`)
    await response.arrayBuffer()
    const again = await get(`${folder}/640.jpg`, { 'if-none-match': response.headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
  })

  it('answer HEAD with the size and no body', async () => {
    const whole = Buffer.from(await (await get(`${folder}/640.jpg`)).arrayBuffer())
    const head = await fetch(`${site.url}${folder}/640.jpg`, { method: 'HEAD' })
    expect(head.headers.get('content-length')).toBe(String(whole.length))
  })

  it.each([
    '/641.jpg',
    '/640.gif',
    '/99999999.jpg',
    '/../../../atelier.db',
    '/%2e%2e/original',
    '/original.jpg',
    '/first.jpg',
    '',
  ])('are nothing else: %s', async (path) => {
    const response = await get(folder + path)
    await response.text()
    expect(response.status).toBe(404)
  })

  it('never include the original', async () => {
    const hash = folder.slice('/images/'.length)
    for (const path of [`/originals/${hash}`, `/images/${hash}/original`, `/files/originals/${hash}`]) {
      const response = await get(path)
      await response.text()
      expect(response.status).toBe(404)
    }
  })
})

const cardOf = async (artwork: { readonly slug: string; readonly id: string }): Promise<string> => {
  const page = await (await fetch(`${site.url}/artwork/${artwork.slug}-${artwork.id}`)).text()
  return /\/images\/[0-9a-f]+\/card\.jpg/.exec(page)?.[0] ?? ''
}

describe('the card of a work', () => {
  it('is not drawn, and so not kept, while its image is lost', async () => {
    const { imageUrl } = (await upload(uploadOf(await imageBytes({ colour: '#664422' })))).json
    const artwork = (await owner.call('addArtwork', { body: { title: 'Sand', imageUrl } })).json
    const hash = imageUrl.split('/')[2]
    const [files, apart] = [join(site.dataDir, 'files'), join(site.dataDir, 'apart')]
    const stored = (await readdir(files, { recursive: true })).filter(
      (name) => name.includes(hash) && (name.startsWith('originals') || name.endsWith('.jpg')),
    )
    await mkdir(apart)
    const places = stored.map((name, n) => [join(files, name), join(apart, String(n))] as const)
    for (const [place, away] of places) await rename(place, away)
    const lost = await fetch(site.url + (await cardOf(artwork)))
    await lost.text()
    for (const [place, away] of places) await rename(away, place)
    const back = await fetch(site.url + (await cardOf(artwork)))
    await back.arrayBuffer()
    expect([lost.status, lost.headers.get('cache-control'), back.status]).toEqual([
      404,
      'private, no-store',
      200,
    ])
  })

  it('is drawn anew where its file was cut', async () => {
    const { imageUrl } = (await upload(uploadOf(await imageBytes({ colour: '#448866' })))).json
    const artwork = (await owner.call('addArtwork', { body: { title: 'Reed', imageUrl } })).json
    const path = await cardOf(artwork)
    const get = async () => Buffer.from(await (await fetch(site.url + path)).arrayBuffer())
    const whole = await get()
    const file = join(site.dataDir, 'files', 'cards', `${path.split('/')[2]}.jpg`)
    for (const left of [Math.floor(whole.length / 2), 0]) {
      await truncate(file, left)
      expect((await get()).equals(whole)).toBe(true)
    }
  })

  it('is drawn when first asked for, kept for ever, and gone when the work looks otherwise', async () => {
    const { imageUrl } = (await upload(uploadOf(await imageBytes({ colour: '#224466' })))).json
    const artwork = (await owner.call('addArtwork', { body: { title: 'Sea', imageUrl, price: 500 } })).json
    const path = await cardOf(artwork)
    expect(path).not.toBe('')
    const [one, two] = await Promise.all([fetch(site.url + path), fetch(site.url + path)])
    expect([one.status, two.status]).toEqual([200, 200])
    expect(one.headers.get('content-type')).toBe('image/jpeg')
    expect(one.headers.get('cache-control')).toContain('immutable')
    await Promise.all([one.arrayBuffer(), two.arrayBuffer()])
    await owner.call('changeArtwork', { params: { id: artwork.id }, body: { price: 600 } })
    const gone = await fetch(site.url + path)
    await gone.text()
    expect(gone.status).toBe(404)
  })
})
