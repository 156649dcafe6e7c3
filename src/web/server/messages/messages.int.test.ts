import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, openWebSite, uploadImage, type WebSite } from '../../../../test/support/web-site.ts'

let site: WebSite
let owner: Client
beforeAll(async () => {
  site = await openWebSite({ settings: { TRUST_PROXY: '1' } })
  owner = await site.owner()
})
afterAll(async () => site.close())

let addresses = 0
const newAddress = (): Record<string, string> => ({ 'x-forwarded-for': `203.0.113.${(addresses += 1)}` })

const newMessage = {
  name: 'Asha',
  email: 'asha@example.org',
  subject: 'purchase',
  message: 'Is it\nstill there?',
}
const list = async () => (await owner.call('listContactMessages')).json

describe('an enquiry', () => {
  it('is kept and shown to the owner, newest first', async () => {
    const answer = await site.visitor().call('sendEnquiry', { body: newMessage, headers: newAddress() })
    expect(answer.status).toBe(201)
    expect(answer.json).toEqual({ message: 'Thank you for your message. I will get back to you soon.' })
    const body = { ...newMessage, name: 'Bina' }
    await site.visitor().call('sendEnquiry', { body, headers: newAddress() })
    const [newest, older] = await list()
    expect(newest.name).toBe('Bina')
    expect(older).toMatchObject({
      ...newMessage,
      isRead: false,
      artworkId: '',
      artworkTitle: '',
      mail: 'off',
    })
  })

  it('names every wrong field', async () => {
    const body = { name: ' ', email: 'nobody', subject: '', message: 'x'.repeat(5001) }
    const answer = await site.visitor().call('sendEnquiry', { body, headers: newAddress() })
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.json.fields).toSorted()).toEqual(['email', 'message', 'name', 'subject'])
    expect(answer.json.fields.subject).toBe('Please select a subject')
  })

  it('names the work it is about', async () => {
    const imageUrl = await uploadImage(owner)
    const { id } = (await owner.call('addArtwork', { body: { title: 'Sea', imageUrl } })).json
    await site
      .visitor()
      .call('sendEnquiry', { body: { ...newMessage, artworkId: id }, headers: newAddress() })
    expect((await list())[0]).toMatchObject({ artworkId: id, artworkTitle: 'Sea' })
  })

  it('about a work that never was is about none', async () => {
    const artworkId = '00000000-0000-4000-8000-000000000000'
    await site.visitor().call('sendEnquiry', { body: { ...newMessage, artworkId }, headers: newAddress() })
    expect((await list())[0].artworkId).toBe('')
  })

  it.each([
    ['a filled honeypot', () => ({ website: 'http://spam.example' })],
    ['a form sent at once', () => ({ openedAt: new Date().toISOString() })],
  ])('trapped by %s is answered like any other and kept nowhere', async (_, trap) => {
    const before = (await list()).length
    const body = { ...newMessage, ...trap() }
    const answer = await site.visitor().call('sendEnquiry', { body, headers: newAddress() })
    expect(answer.status).toBe(201)
    expect(answer.json).toEqual({ message: 'Thank you for your message. I will get back to you soon.' })
    expect(await list()).toHaveLength(before)
  })

  it('trapped under a key leaves no row, and a refused one neither', async () => {
    const database = new DatabaseSync(join(site.dataDir, 'atelier.db'), { readOnly: true })
    const keys = () => database.prepare('SELECT count(*) AS n FROM idempotency_keys').get()?.['n']
    try {
      const before = Number(keys())
      for (let n = 0; n < 20; n += 1) {
        const headers = { ...newAddress(), 'idempotency-key': `trapped ${n}` }
        const trapped = { ...newMessage, website: 'http://spam.example' }
        expect((await site.visitor().call('sendEnquiry', { body: trapped, headers })).status).toBe(201)
        const refused = { ...newMessage, email: 'nobody' }
        expect((await site.visitor().call('sendEnquiry', { body: refused, headers })).status).toBe(422)
      }
      expect(keys()).toBe(before)
      const kept = { body: newMessage, headers: { ...newAddress(), 'idempotency-key': 'kept' } }
      expect((await site.visitor().call('sendEnquiry', kept)).status).toBe(201)
      expect(keys()).toBe(before + 1)
    } finally {
      database.close()
    }
  })

  it('sent again under ever new Idempotency-Keys leaves no row of them, and is one letter', async () => {
    const database = new DatabaseSync(join(site.dataDir, 'atelier.db'), { readOnly: true })
    const keys = () => Number(database.prepare('SELECT count(*) AS n FROM idempotency_keys').get()?.['n'])
    try {
      const [before, messages] = [keys(), (await list()).length]
      const body = { ...newMessage, key: 'of the letter itself' }
      const address = newAddress()
      const send = (key: string) =>
        site.visitor().call('sendEnquiry', { body, headers: { ...address, 'idempotency-key': key } })
      expect((await send('the first')).status).toBe(201)
      // Two at once under each, so that one of them meets the claim of the other.
      for (let n = 0; n < 10; n += 1)
        for (const { status } of await Promise.all([send(`again ${n}`), send(`again ${n}`)]))
          expect(status).toBe(201)
      expect((await send('the first')).status).toBe(201)
      expect(keys()).toBe(before + 1)
      expect(await list()).toHaveLength(messages + 1)
    } finally {
      database.close()
    }
  })

  it('that the log does not take leaves no row of its Idempotency-Key, and can be sent again under it', async () => {
    const database = new DatabaseSync(join(site.dataDir, 'atelier.db'))
    const keys = () => Number(database.prepare('SELECT count(*) AS n FROM idempotency_keys').get()?.['n'])
    const headers = { ...newAddress(), 'idempotency-key': 'in an outage' }
    const send = () => site.visitor().call('sendEnquiry', { body: newMessage, headers })
    try {
      const [before, messages] = [keys(), (await list()).length]
      database.exec(
        "CREATE TRIGGER outage BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'not taken by the test'); END",
      )
      try {
        expect((await send()).status).toBeGreaterThanOrEqual(500)
      } finally {
        database.exec('DROP TRIGGER outage')
      }
      expect(keys()).toBe(before)
      for (let n = 0; n < 2; n += 1) expect((await send()).status).toBe(201)
      expect(keys()).toBe(before + 1)
      expect(await list()).toHaveLength(messages + 1)
    } finally {
      database.close()
    }
  })

  it.each([
    ['opened a minute ago', -60_000],
    ['by a clock that runs ahead', 300_000],
  ])('%s is a person', async (_, offset) => {
    const before = (await list()).length
    const body = { ...newMessage, openedAt: new Date(Date.now() + offset).toISOString() }
    await site.visitor().call('sendEnquiry', { body, headers: newAddress() })
    expect(await list()).toHaveLength(before + 1)
  })

  it('is taken five times from one address, counting only what was kept', async () => {
    const headers = newAddress()
    const before = (await list()).length
    await site.visitor().call('sendEnquiry', { body: { ...newMessage, website: 'x' }, headers })
    await site.visitor().call('sendEnquiry', { body: { ...newMessage, email: 'x' }, headers })
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => site.visitor().call('sendEnquiry', { body: newMessage, headers })),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201, 201, 201, 201, 201, 429, 429, 429,
    ])
    expect(Number(answers.find(({ status }) => status === 429)?.headers.get('retry-after'))).toBeGreaterThan(
      0,
    )
    expect(await list()).toHaveLength(before + 5)
    const other = await site.visitor().call('sendEnquiry', { body: newMessage, headers: newAddress() })
    expect(other.status).toBe(201)
  })

  it('sent twice under one key is kept once', async () => {
    const before = (await list()).length
    const headers = { ...newAddress(), 'idempotency-key': 'once' }
    const first = await site.visitor().call('sendEnquiry', { body: newMessage, headers })
    const second = await site.visitor().call('sendEnquiry', { body: newMessage, headers })
    expect([first.status, second.status]).toEqual([201, 201])
    expect(await list()).toHaveLength(before + 1)
  })
})

describe('the form without JavaScript', () => {
  const form = (fields: Record<string, string>) => new URLSearchParams(fields)

  it('leads back to the page', async () => {
    const before = (await list()).length
    const raw = form({ ...newMessage, website: '', openedAt: '', artworkId: '' })
    const answer = await site.visitor().call('sendEnquiryForm', { raw, headers: newAddress() })
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe('/?contact=sent#contact')
    expect(await list()).toHaveLength(before + 1)
  })

  it('keeps every letter that it thanks for, also under a key that another one came with', async () => {
    const before = (await list()).length
    const headers = { ...newAddress(), 'idempotency-key': 'of another letter' }
    for (const message of ['the first', 'the second', 'the second']) {
      const raw = form({ ...newMessage, message })
      const { status } = await site.visitor().call('sendEnquiryForm', { raw, headers })
      expect(status).toBe(303)
    }
    expect((await list()).slice(0, -before).map(({ message }: { message: string }) => message)).toEqual([
      'the second',
      'the first',
    ])
  })

  it('is one message where a browser sends it again by itself', async () => {
    const before = (await list()).length
    const headers = newAddress()
    for (const message of ['sent again', 'sent again', 'another one'])
      await site.visitor().call('sendEnquiryForm', { raw: form({ ...newMessage, message }), headers })
    expect(await list()).toHaveLength(before + 2)
  })

  it('shows the page with what was typed and what is wrong', async () => {
    const raw = form({ ...newMessage, name: 'Only <me>', email: 'nobody' })
    const answer = await site.visitor().call('sendEnquiryForm', { raw, headers: newAddress() })
    expect(answer.status).toBe(422)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.text).toContain('Only &lt;me&gt;')
    expect(answer.text).toContain('Email must look like name@example.com')
    expect(answer.headers.get('content-security-policy')).toContain('script-src')
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
  })

  it('shows the page when there were too many', async () => {
    const headers = newAddress()
    for (let n = 0; n < 5; n += 1) {
      const raw = form({ ...newMessage, message: `Letter ${n}` })
      await site.visitor().call('sendEnquiryForm', { raw, headers })
    }
    const answer = await site.visitor().call('sendEnquiryForm', { raw: form(newMessage), headers })
    expect(answer.status).toBe(429)
    expect(answer.text).toContain('<html')
  })

  it('takes no JSON', async () => {
    const answer = await site.visitor().call('sendEnquiryForm', { body: newMessage, headers: newAddress() })
    expect(answer.status).toBe(415)
  })
})

describe('reading and erasing', () => {
  const sent = async () => {
    await site.visitor().call('sendEnquiry', { body: newMessage, headers: newAddress() })
    return (await list())[0]
  }

  it('is for the owner only, and nobody keeps the list', async () => {
    expect((await site.visitor().call('listContactMessages')).status).toBe(401)
    expect((await owner.call('listContactMessages')).headers.get('cache-control')).toBe('private, no-store')
  })

  it('marks read once and for all', async () => {
    const { id } = await sent()
    const answer = await owner.call('markMessageRead', { params: { id } })
    expect(answer.json).toMatchObject({ id, isRead: true, name: 'Asha' })
    expect((await owner.call('markMessageRead', { params: { id }, body: {} })).status).toBe(200)
  })

  it('erases for good', async () => {
    const { id } = await sent()
    expect((await owner.call('deleteMessage', { params: { id } })).status).toBe(204)
    expect((await list()).map((message: { id: string }) => message.id)).not.toContain(id)
    expect((await owner.call('deleteMessage', { params: { id } })).status).toBe(404)
    expect((await owner.call('markMessageRead', { params: { id } })).status).toBe(404)
  })

  it('erases nothing under a stale version', async () => {
    const { id } = await sent()
    await owner.call('markMessageRead', { params: { id } })
    const answer = await owner.call('deleteMessage', { params: { id }, headers: { 'if-match': '"1"' } })
    expect(answer.status).toBe(409)
    expect(answer.json.current).toMatchObject({ id, name: 'Asha' })
  })
})

describe('refused forms', () => {
  const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
  const asForm = 'application/x-www-form-urlencoded'
  it.each([
    [400, 'bytes that are no UTF-8', { 'content-type': asForm }, Buffer.from([0xff])],
    [403, 'another site', { 'content-type': asForm, origin: 'https://other.example' }, 'name='],
    [413, 'too much', { 'content-type': asForm }, `message=${'x'.repeat(70_000)}`],
    [415, 'another kind', { 'content-type': 'text/plain' }, 'name='],
  ])('are a page with the way back: %i for %s', async (status, _, headers, raw) => {
    const sent = { raw, headers: { ...newAddress(), ...browser, ...headers } }
    const answer = await site.visitor().send('POST', '/contact', sent)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8'])
    expect(answer.text).toContain('<a href="/#contact">')
  })

  it('of one address are answered by the page only so often', async () => {
    const headers = { ...newAddress(), 'content-type': 'application/x-www-form-urlencoded' }
    const send = (sent: Record<string, string>) =>
      site.visitor().send('POST', '/contact', { raw: 'name=', headers: sent })
    for (let n = 0; n < 20; n += 1) expect((await send(headers)).status).toBe(422)
    const answer = await send(headers)
    expect([answer.status, answer.json.message]).toEqual([429, expect.stringContaining('try again')])
    const seen = await send({ ...headers, ...browser })
    expect([seen.status, seen.text]).toEqual([429, expect.stringContaining('<a href="/#contact">')])
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await send({ ...headers, ...newAddress() })).status).toBe(422)
  })
})

describe('the list of messages', () => {
  it('goes on before one that is named', async () => {
    const all = await list()
    const [first, second] = all
    const rest = await owner.call('listContactMessages', { query: `before=${first.id}` })
    expect(rest.json).toEqual(all.slice(1))
    expect(rest.json[0].id).toBe(second.id)
    const last = await owner.call('listContactMessages', { query: `before=${all.at(-1).id}` })
    expect(last.json).toEqual([])
  })

  it('says that there is none before one that is not there, or is no id', async () => {
    const query = 'before=00000000-0000-4000-8000-000000000000'
    expect((await owner.call('listContactMessages', { query })).status).toBe(404)
    expect((await owner.call('listContactMessages', { query: 'before=x' })).status).toBe(422)
  })
})
