import { describe, expect, it } from 'vitest'
import type { Documents } from '#application/kernel/ports/documents.ts'
import { memoryVault } from '#application/testing/memory-vault.ts'
import type { MessageEvent } from '#domain/messages/events.ts'
import { artworksProjection } from '../artworks/artworks-view.ts'
import { messagesProjection } from './messages-view.ts'
import { closedMessages, findMessage, listMessages, unfinishedErasures } from './queries.ts'
import type { Projection } from '../runtime/projection.ts'
import { type Happened, projected, timeOf } from '../testing/history.ts'
import { artworkAdded } from '../testing/artworks.ts'

const projections = [messagesProjection, artworksProjection] as unknown as Projection[]
const toMessage = (id: string, event: MessageEvent): Happened => ({ stream: `message-${id}`, event })
const text = (name: string) => JSON.stringify({ name, email: `${name}@example.com`, message: `I am ${name}` })

/** A site whose vault has sealed the text of each message. */
const site = async (...names: readonly string[]) => {
  const keyVault = memoryVault()
  const received: Happened[] = []
  for (const name of names) {
    const sealed = await keyVault.seal(name, text(name))
    const data = { subject: 'purchase', artworkId: 'w1', sealed } as const
    received.push(toMessage(name, { type: 'MessageReceived', data }))
  }
  const after = async (...more: readonly Happened[]) => ({
    documents: await projected(projections, [...received, ...more]),
    keyVault,
    mail: 'on' as const,
  })
  return { keyVault, after }
}

describe('messages as the owner reads them', () => {
  it('are decrypted, with the title of the work, newest first', async () => {
    const { after } = await site('ann', 'bob')
    const reading = await after(artworkAdded('w1'))
    expect(await listMessages(reading)).toEqual([
      {
        id: 'bob',
        name: 'bob',
        email: 'bob@example.com',
        subject: 'purchase',
        message: 'I am bob',
        isRead: false,
        artworkId: 'w1',
        artworkTitle: 'Monsoon over the Ghats',
        mail: 'waiting',
        version: 1,
        createdAt: timeOf(1),
      },
      expect.objectContaining({ id: 'ann' }),
    ])
  })

  it('are read beside one that its key does not open, which is told of', async () => {
    const { keyVault, after } = await site('ann', 'bob', 'cid')
    keyVault.keys.set('bob', new Uint8Array(32))
    keyVault.keys.delete('cid')
    const reading = await after()
    expect((await listMessages(reading))?.map(({ id }) => id)).toEqual(['ann'])
    expect(await closedMessages(reading, new Set(['ann', 'bob']))).toEqual(['bob'])
  })

  it('come page by page', async () => {
    const { after } = await site('a', 'b', 'c')
    const reading = await after()
    const idsOf = async (page: Parameters<typeof listMessages>[1]) =>
      (await listMessages(reading, page))?.map(({ id }) => id)
    expect(await idsOf({ limit: 2 })).toEqual(['c', 'b'])
    expect(await idsOf({ limit: 2, before: 'b' })).toEqual(['a'])
    expect(await idsOf({ limit: 2, before: 'a' })).toEqual([])
    expect(await idsOf({ limit: 2, before: 'nobody' })).toBeUndefined()
    // One that nobody can read takes no place.
    reading.keyVault.keys.delete('b')
    expect(await idsOf({ limit: 2 })).toEqual(['c', 'a'])
  })

  it('that cannot be read take none of those after them along', async () => {
    const { after } = await site('a', 'b', 'c')
    const reading = await after()
    // As a reader gets them: what cannot be read is left out of what was found.
    const find: typeof reading.documents.find = async (view, query) =>
      (await reading.documents.find<never>(view, query)).filter(({ id }) => id !== 'b')
    const some = await listMessages({ ...reading, documents: { ...reading.documents, find } }, { limit: 2 })
    expect(some?.map(({ id }) => id)).toEqual(['c', 'a'])
  })

  it('hold nothing personal in the read model', async () => {
    const { after } = await site('ann')
    const { documents } = await after()
    const stored = JSON.stringify([...documents.all(messagesProjection.view).values()])
    expect(stored).not.toContain('ann@')
    expect(stored).not.toContain('I am')
  })

  it('are not listed when their key is missing', async () => {
    const { keyVault, after } = await site('ann', 'bob')
    keyVault.keys.delete('ann')
    const reading = await after()
    expect((await listMessages(reading))?.map(({ id }) => id)).toEqual(['bob'])
    expect(await findMessage(reading, 'ann')).toBeNull()
  })

  it('say that they are being erased from the key on until the log says so, without a word of the person', async () => {
    const { keyVault, after } = await site('ann', 'bob')
    await keyVault.erase('ann')
    const reading = await after()
    const nothingLeft = { id: 'ann', erasing: true, name: '', email: '', message: '' }
    expect(await findMessage(reading, 'ann')).toMatchObject(nothingLeft)
    expect((await listMessages(reading))?.map(({ id }) => id)).toEqual(['bob', 'ann'])
    const unlisted = () => Promise.reject(new Error('All messages are asked for'))
    const few: Documents = { ...reading.documents, find: unlisted }
    expect(await unfinishedErasures(few, ['ann', 'long ago'])).toEqual(['ann'])
    const erased = await after(toMessage('ann', { type: 'MessageErased', data: {} }))
    expect([...erased.documents.all(messagesProjection.view).keys()]).toEqual(['bob'])
    expect(await unfinishedErasures(erased.documents, ['ann', 'long ago'])).toEqual([])
  })

  it('are read once and for all', async () => {
    const { after } = await site('ann')
    const reading = await after(toMessage('ann', { type: 'MessageMarkedRead', data: {} }))
    expect(await findMessage(reading, 'ann')).toMatchObject({ isRead: true, version: 2 })
  })

  it('tell what became of their mail, without a new version', async () => {
    const { after } = await site('ann')
    const waiting = await after()
    expect(await findMessage({ ...waiting, mail: 'off' }, 'ann')).toMatchObject({ mail: 'off' })
    const skipped = await after(toMessage('ann', { type: 'EnquiryMailSkipped', data: {} }))
    expect(await findMessage({ ...skipped, mail: 'on' }, 'ann')).toMatchObject({ mail: 'off', version: 1 })
    const refused = toMessage('ann', { type: 'EnquiryMailRefused', data: { reason: 'No such mailbox' } })
    expect(await findMessage(await after(refused), 'ann')).toMatchObject({ mail: 'refused', version: 1 })
    const mailed = toMessage('ann', { type: 'EnquiryMailed', data: { mailId: 'x' } })
    expect(await findMessage({ ...(await after(refused, mailed)), mail: 'off' }, 'ann')).toMatchObject({
      mail: 'sent',
    })
  })

  // Else what an earlier version stored would differ from a replay for good.
  it('keep why their mail was refused where it is not tried again, until it is sent', async () => {
    const { after } = await site('ann')
    const refused = toMessage('ann', { type: 'EnquiryMailRefused', data: { reason: 'No such mailbox' } })
    const refusalAfter = async (event: MessageEvent) => {
      const { documents } = await after(refused, toMessage('ann', event))
      return (await documents.get(messagesProjection.view, 'ann'))?.['mailRefusal']
    }
    expect(await refusalAfter({ type: 'EnquiryMailSkipped', data: {} })).toBe('No such mailbox')
    expect(await refusalAfter({ type: 'EnquiryMailed', data: { mailId: 'x' } })).toBeNull()
  })
})
