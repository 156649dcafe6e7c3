import { describe, expect, it } from 'vitest'
import { eraseMessage, markMessageRead, receiveMessage } from '#application/messages/messages.ts'
import { ownerCommand, testApplication } from '#application/testing/application.ts'

const input = {
  name: 'Asha Rao',
  email: 'asha@example.org',
  message: 'Is Haldi still free?',
  subject: 'purchase',
  artworkId: null,
} as const

describe('a message', () => {
  it('stands in the log without a readable word of the person', async () => {
    const { app, eventStore } = testApplication()
    await receiveMessage(app, input, ownerCommand())
    expect(JSON.stringify(eventStore.events)).not.toMatch(/Asha|asha|Haldi/)
  })

  it('can be read with its own key', async () => {
    const { app, eventStore, keyVault } = testApplication()
    const { id } = await receiveMessage(app, input, ownerCommand())
    const { sealed } = eventStore.events[0]?.data ?? {}
    if (typeof sealed !== 'string') throw new Error('nothing was sealed')
    expect(await keyVault.open(id, sealed)).toBe(
      JSON.stringify({ name: input.name, email: input.email, message: input.message }),
    )
  })

  it('is kept once when it is sent twice', async () => {
    const { app, eventStore } = testApplication()
    await receiveMessage(app, input, ownerCommand('same'))
    await receiveMessage(app, input, ownerCommand('same'))
    expect(eventStore.events).toHaveLength(1)
  })

  it('is erased with its key', async () => {
    const { app, eventStore, keyVault } = testApplication()
    const { id } = await receiveMessage(app, input, ownerCommand())
    await eraseMessage(app, id, null, ownerCommand())
    expect(keyVault.keys.size).toBe(0)
    expect(eventStore.events.at(-1)?.type).toBe('MessageErased')
  })

  it('erased by a process that died before saying so can be erased again', async () => {
    const { app, eventStore, keyVault } = testApplication()
    const { id } = await receiveMessage(app, input, ownerCommand())
    await keyVault.erase(id)
    await eraseMessage(app, id, null, ownerCommand())
    expect(eventStore.events.at(-1)?.type).toBe('MessageErased')
  })

  it('is erased once by a command that is sent again', async () => {
    const { app } = testApplication()
    const { id } = await receiveMessage(app, input, ownerCommand())
    const command = ownerCommand()
    const first = await eraseMessage(app, id, 1, command)
    expect(await eraseMessage(app, id, 1, command)).toMatchObject({ position: first.position })
  })

  it('is missing once it is erased', async () => {
    const { app } = testApplication()
    const { id } = await receiveMessage(app, input, ownerCommand())
    await eraseMessage(app, id, null, ownerCommand())
    await expect(eraseMessage(app, id, null, ownerCommand())).rejects.toMatchObject({ kind: 'missing' })
    await expect(markMessageRead(app, id, null, ownerCommand())).rejects.toMatchObject({ kind: 'missing' })
  })
})
