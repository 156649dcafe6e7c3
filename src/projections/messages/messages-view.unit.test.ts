import { describe, expect, it } from 'vitest'
import { memoryVault } from '#application/testing/application.ts'
import type { MessageEvent } from '#domain/messages/events.ts'
import { artworksProjection } from '#projections/artworks/artworks-view.ts'
import { messagesProjection } from '#projections/messages/messages-view.ts'
import { findMessage, listMessages } from '#projections/messages/queries.ts'
import type { Projection } from '#projections/projection.ts'
import { type Happened, projected, timeOf } from '#projections/testing/history.ts'
import { workAdded } from '#projections/testing/works.ts'

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
    const reading = await after(workAdded('w1'))
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

  it('come page by page', async () => {
    const { after } = await site('a', 'b', 'c')
    const reading = await after()
    const first = await listMessages(reading, { limit: 2 })
    expect(first.map(({ id }) => id)).toEqual(['c', 'b'])
    expect((await listMessages(reading, { limit: 2, before: 'b' })).map(({ id }) => id)).toEqual(['a'])
  })

  it('hold nothing personal in the read model (decisions 76)', async () => {
    const { after } = await site('ann')
    const { documents } = await after()
    const stored = JSON.stringify([...documents.all(messagesProjection.view).values()])
    expect(stored).not.toContain('ann@')
    expect(stored).not.toContain('I am')
  })

  it('are not listed once their key is gone, erased or not', async () => {
    const { keyVault, after } = await site('ann', 'bob')
    await keyVault.erase('ann')
    const reading = await after()
    expect((await listMessages(reading)).map(({ id }) => id)).toEqual(['bob'])
    expect(await findMessage(reading, 'ann')).toBeNull()
    const erased = await after(toMessage('ann', { type: 'MessageErased', data: {} }))
    expect([...erased.documents.all(messagesProjection.view).keys()]).toEqual(['bob'])
  })

  it('are read once and for all', async () => {
    const { after } = await site('ann')
    const reading = await after(toMessage('ann', { type: 'MessageMarkedRead', data: {} }))
    expect(await findMessage(reading, 'ann')).toMatchObject({ isRead: true, version: 2 })
  })

  it('tell what became of their mail, without a new version (decisions 73)', async () => {
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
})
