import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { KeyVault } from '#application/kernel/ports/key-vault.ts'

/** The rules of every key vault. `openOther` gives an empty one, of a site with another secret. */
export const keyVaultContract = (
  name: string,
  open: () => Promise<{ readonly keyVault: KeyVault; readonly close: () => Promise<void> }>,
  openOther: () => Promise<{ readonly keyVault: KeyVault; readonly close: () => Promise<void> }>,
): void => {
  describe(`key vault: ${name}`, () => {
    let vault: KeyVault
    let close: () => Promise<void>
    beforeAll(async () => {
      const opened = await open()
      vault = opened.keyVault
      ;({ close } = opened)
    })
    afterAll(async () => close())

    it('opens what it sealed', async () => {
      const id = randomUUID()
      const sealed = await vault.seal(id, 'आशा <asha@example.com> 🖼️')
      expect(sealed).not.toContain('asha@')
      expect(await vault.open(id, sealed)).toBe('आशा <asha@example.com> 🖼️')
    })

    it('seals several texts of one subject under one key, also at once', async () => {
      const id = randomUUID()
      const sealed = await Promise.all(['one', 'two', 'three'].map((text) => vault.seal(id, text)))
      expect(await vault.openMany(sealed.map((text) => ({ subjectId: id, sealed: text })))).toEqual([
        'one',
        'two',
        'three',
      ])
    })

    it('has nothing for a subject without a key', async () => {
      const sealed = await vault.seal(randomUUID(), 'text')
      expect(await vault.open(randomUUID(), sealed)).toBeNull()
    })

    it('refuses a text that was changed, or that is another subject’s', async () => {
      const [id, other] = [randomUUID(), randomUUID()]
      const sealed = await vault.seal(id, 'text')
      await vault.seal(other, 'text')
      const changed = sealed.slice(0, -3) + (sealed.endsWith('AAA') ? 'BBB' : 'AAA')
      await expect(vault.open(id, changed)).rejects.toThrow('cannot be opened')
      await expect(vault.open(other, sealed)).rejects.toThrow('cannot be opened')
    })

    it('opens many in their order; those without a key, and those that were changed, are null', async () => {
      const [a, b, gone] = [randomUUID(), randomUUID(), randomUUID()]
      const many = [
        { subjectId: b, sealed: await vault.seal(b, 'B') },
        { subjectId: gone, sealed: await vault.seal(gone, 'gone') },
        { subjectId: a, sealed: await vault.seal(a, 'A') },
        { subjectId: randomUUID(), sealed: await vault.seal(a, 'A again') },
        { subjectId: a, sealed: await vault.seal(b, 'another’s') },
      ]
      await vault.erase(gone)
      expect(await vault.openMany(many)).toEqual(['B', null, 'A', null, null])
      expect(await vault.openMany([])).toEqual([])
    })

    it('never opens an erased subject again, and remembers it', async () => {
      const [id, other] = [randomUUID(), randomUUID()]
      const sealed = await vault.seal(id, 'text')
      const kept = await vault.seal(other, 'kept')
      await vault.erase(id)
      await vault.erase(id)
      expect(await vault.open(id, sealed)).toBeNull()
      expect(await vault.open(other, kept)).toBe('kept')
      const erased = await vault.erasedIds()
      expect(erased.filter((each) => each === id)).toEqual([id])
      expect(erased).not.toContain(other)
    })

    it('seals nothing more for an erased subject', async () => {
      const id = randomUUID()
      await vault.seal(id, 'text')
      await vault.erase(id)
      await expect(vault.seal(id, 'text')).rejects.toThrow('was erased')
    })

    it('remembers an erased subject that it never had a key for', async () => {
      const id = randomUUID()
      await vault.erase(id)
      expect(await vault.erasedIds()).toContain(id)
      await expect(vault.seal(id, 'text')).rejects.toThrow('was erased')
    })

    it('moves its keys to the vault of another site, under that one’s secret', async () => {
      const [id, gone] = [randomUUID(), randomUUID()]
      const sealed = await vault.seal(id, 'Asha')
      await vault.seal(gone, 'gone')
      await vault.erase(gone)
      const contents = await vault.takeOut()
      expect(contents.keys.find(({ subjectId }) => subjectId === id)?.key).toHaveLength(32)
      expect(contents.keys.map(({ subjectId }) => subjectId)).not.toContain(gone)
      expect(contents.erasedIds).toContain(gone)

      const other = await openOther()
      await other.keyVault.putBack(contents)
      await other.keyVault.putBack(contents)
      expect(await other.keyVault.open(id, sealed)).toBe('Asha')
      expect(await other.keyVault.erasedIds()).toContain(gone)
      expect(new Set((await other.keyVault.takeOut()).keys.map(({ subjectId }) => subjectId))).toEqual(
        new Set(contents.keys.map(({ subjectId }) => subjectId)),
      )
      await other.close()
    })

    it('brings back no key of what either side knows as erased', async () => {
      const [here, there] = [randomUUID(), randomUUID()]
      const texts = [await vault.seal(here, 'here'), await vault.seal(there, 'there')] as const
      const old = await vault.takeOut()
      await vault.erase(here)
      await vault.putBack(old)
      expect(await vault.open(here, texts[0])).toBeNull()

      await vault.putBack({ keys: old.keys, erasedIds: [there] })
      expect(await vault.open(there, texts[1])).toBeNull()
      expect(await vault.erasedIds()).toEqual(expect.arrayContaining([here, there]))
    })

    it('keeps a subject’s own key when another is brought', async () => {
      const id = randomUUID()
      const sealed = await vault.seal(id, 'text')
      await vault.putBack({ keys: [{ subjectId: id, key: Buffer.alloc(32, 7) }], erasedIds: [] })
      expect(await vault.open(id, sealed)).toBe('text')
    })

    it('refuses what is no key, and brings nothing of it', async () => {
      const [id, short] = [randomUUID(), randomUUID()]
      const keys = [
        { subjectId: id, key: Buffer.alloc(32, 7) },
        { subjectId: short, key: Buffer.alloc(31) },
      ]
      await expect(vault.putBack({ keys, erasedIds: [] })).rejects.toThrow(RangeError)
      const inside = (await vault.takeOut()).keys.map(({ subjectId }) => subjectId)
      expect(inside).not.toContain(short)
    })
  })
}
