import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isMissing } from './reason.ts'

it('what lies below a file that took the place of its folder is missing too', () => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-missing-'))
  writeFileSync(join(folder, 'file'), '')
  const why = (name: string): unknown => {
    try {
      return statSync(join(folder, name))
    } catch (error) {
      return error
    }
  }
  expect(['nothing', 'file/below', 'file'].map((name) => isMissing(why(name)))).toEqual([true, true, false])
  rmSync(folder, { recursive: true })
})
