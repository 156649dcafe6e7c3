import { describe, expect, it } from 'vitest'
import { eraseMessage, eraseReturned, finishErasure, markMessageRead, receiveMessage } from './messages.ts'
import { EngineAway } from '../kernel/ports/event-store.ts'
import { ownerCommand, testApplication } from '../testing/application.ts'

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

  it('lets others have their turn while a vault of many keys is compared with the log', async () => {
    const { app } = testApplication()
    for (let n = 0; n < 200; n += 1) await receiveMessage(app, input, ownerCommand(`message ${n}`))
    let turns = 0
    const counting = setInterval(() => (turns += 1), 0)
    expect(await eraseReturned(app, new AbortController().signal)).toBe(true)
    clearInterval(counting)
    expect(turns).toBeGreaterThan(0)
  })

  it('is erased with its key', async () => {
    const { app, eventStore, keyVault } = testApplication()
    const { id } = await receiveMessage(app, input, ownerCommand())
    await eraseMessage(app, id, null, ownerCommand())
    expect(keyVault.keys.size).toBe(0)
    expect(eventStore.events.at(-1)?.type).toBe('MessageErased')
  })

  it('that was erased is thanked for and stays erased when its very command is sent again', async () => {
    const { app, eventStore, keyVault } = testApplication()
    const command = ownerCommand()
    const { id } = await receiveMessage(app, input, command)
    await eraseMessage(app, id, null, ownerCommand())
    expect(await receiveMessage(app, input, command)).toMatchObject({ id, visible: true })
    expect([eventStore.events.length, keyVault.keys.size]).toEqual([2, 0])
  })

  it('neither gains nor loses a key while nothing may be written', async () => {
    const { app, keyVault } = testApplication()
    const { id } = await receiveMessage(app, input, ownerCommand())
    const away = new Error('Nothing can be saved just now')
    const hindered = { ...app, executor: { ...app.executor, hindrance: () => away } }
    await expect(receiveMessage(hindered, input, ownerCommand())).rejects.toBe(away)
    await expect(eraseMessage(hindered, id, null, ownerCommand())).rejects.toBe(away)
    expect([...keyVault.keys.keys()]).toEqual([id])
  })

  it('leaves no key where the log does not answer', async () => {
    const { app, keyVault } = testApplication()
    const away = new EngineAway('log', 'The event log does not answer')
    const load = () => Promise.reject(away)
    const silent = { ...app, executor: { ...app.executor, load, execute: load } }
    await expect(receiveMessage(silent, input, ownerCommand())).rejects.toBe(away)
    expect(keyVault.keys.size).toBe(0)
  })

  it('erased by a process that died before saying so can be erased again', async () => {
    const { app, eventStore, keyVault } = testApplication()
    const { id } = await receiveMessage(app, input, ownerCommand())
    await keyVault.erase(id)
    await eraseMessage(app, id, null, ownerCommand())
    expect(eventStore.events.at(-1)?.type).toBe('MessageErased')
  })

  it('that is erased while somebody reads old pages is not gone yet, and is finished when they have ended', async () => {
    const { app, eventStore, keyVault } = testApplication()
    const { id } = await receiveMessage(app, input, ownerCommand())
    let traceless = false
    const slow = {
      ...app,
      keyVault: { ...keyVault, erase: async (one: string) => (await keyVault.erase(one)) && traceless },
    }
    expect(await eraseMessage(slow, id, null, ownerCommand())).toMatchObject({ id, visible: false })
    expect(keyVault.keys.size).toBe(0)
    expect(await finishErasure(slow, id)).toBe(false)
    expect(eventStore.events.at(-1)?.type).toBe('MessageReceived')
    traceless = true
    expect(await finishErasure(slow, id)).toBe(true)
    expect(await finishErasure(slow, id)).toBe(true)
    expect(eventStore.events.map(({ type }) => type)).toEqual(['MessageReceived', 'MessageErased'])
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
