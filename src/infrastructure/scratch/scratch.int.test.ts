import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import { openScratch } from './scratch.ts'

const folder = (): string => join(mkdtempSync(join(tmpdir(), 'atelier-scratch-')), 'scratch')

describe('scratch', () => {
  it('begins empty, whatever a killed process left', async () => {
    const path = folder()
    mkdirSync(path)
    writeFileSync(join(path, 'half'), 'x')
    await openScratch(path, () => false)
    expect(readdirSync(path)).toEqual([])
  })

  it('empties no folder that a link in its place leads to', async () => {
    const [path, elsewhere] = [folder(), folder()]
    mkdirSync(elsewhere)
    writeFileSync(join(elsewhere, 'hers'), 'x')
    symlinkSync(elsewhere, path)
    const scratch = await openScratch(path, () => false)
    writeFileSync(await scratch.path('file'), 'x')
    expect(readdirSync(elsewhere).toSorted()).toEqual(['file', 'hers'])
  })

  it('gives empty folders and removes them with all they hold', async () => {
    const scratch = await openScratch(folder(), () => false)
    const made = await scratch.folder('variants')
    writeFileSync(join(made, '640.avif'), 'x')
    expect(readdirSync(await scratch.folder('variants'))).toEqual([])
    await scratch.remove(made)
    expect(existsSync(made)).toBe(false)
  })

  it.skipIf(process.platform !== 'linux')(
    'says that nothing can be made on a disk that takes no change, and goes on where nothing can be removed',
    async () => {
      const path = folder()
      const scratch = await openScratch(path, () => false)
      rmSync(path, { recursive: true })
      // There nobody makes or removes anything.
      symlinkSync('/sys/kernel', path)
      await expect(scratch.folder('variants')).rejects.toBeInstanceOf(EngineAway)
      await expect(scratch.remove('/sys/kernel/notes')).resolves.toBeUndefined()
    },
  )

  it('goes on where the disk keeps what is to be removed, for whatever reason', async () => {
    const scratch = await openScratch(folder(), () => false)
    await expect(scratch.remove(join(tmpdir(), 'x'.repeat(300)))).resolves.toBeUndefined()
  })

  it.each(['../up', 'a/b', '.hidden', ''])('takes no name that leads elsewhere: %j', async (name) => {
    const scratch = await openScratch(folder(), () => false)
    await expect(scratch.path(name)).rejects.toThrow('Not a name')
  })

  it('is made anew where it was tidied away, but not where all around it is gone', async () => {
    const whole = mkdtempSync(join(tmpdir(), 'atelier-scratch-'))
    const scratch = await openScratch(join(whole, 'scratch'), () => false)
    rmSync(join(whole, 'scratch'), { recursive: true })
    writeFileSync(await scratch.path('file'), 'x')
    rmSync(join(whole, 'scratch'), { recursive: true })
    expect(existsSync(await scratch.folder('variants'))).toBe(true)
    rmSync(whole, { recursive: true })
    await expect(scratch.path('file')).rejects.toBeInstanceOf(EngineAway)
    await expect(scratch.folder('variants')).rejects.toBeInstanceOf(EngineAway)
    expect(existsSync(whole)).toBe(false)
  })
})
