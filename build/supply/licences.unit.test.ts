import { describe, expect, it } from 'vitest'
import { fulfils, licenceLine, refusedLicences, unneededLicences } from './licences.ts'

describe('a licence', () => {
  const isAllowed = (id: string): boolean => id === 'MIT' || id === 'ISC'
  it.each([
    ['MIT', true],
    ['GPL-3.0-only', false],
    ['MIT OR GPL-3.0-only', true],
    ['MIT AND GPL-3.0-only', false],
    ['MIT AND ISC', true],
    ['GPL-3.0-only OR MIT AND ISC', true],
    ['(GPL-3.0-only OR MIT) AND ISC', true],
    ['(GPL-3.0-only OR MIT) AND Unknown', false],
    // What cannot be read is not allowed.
    ['', false],
    ['MIT AND', false],
    ['(MIT', false],
    ['MIT ISC', false],
    ['SEE LICENSE IN LICENSE.md', false],
  ])('of "%s" is judged as the expression says: %s', (expression, verdict) => {
    expect(fulfils(expression, isAllowed)).toBe(verdict)
  })

  it('that is not on the list keeps a package from shipping, and so does none', () => {
    const of = (name: string, licence: string | null) => ({ name, version: '1.0.0', licence })
    const all = [of('a', 'MIT'), of('b', 'AGPL-3.0-only'), of('c', null), of('d', 'LGPL-3.0-or-later')]
    expect(refusedLicences(all)).toEqual([
      'b@1.0.0 is under AGPL-3.0-only',
      'c@1.0.0 names no licence',
      'd@1.0.0 is under LGPL-3.0-or-later',
    ])
    expect(refusedLicences([of('@img/sharp-libvips-linux-x64', 'LGPL-3.0-or-later')])).toEqual([])
    expect(refusedLicences([of('@img/sharp-win32-x64', 'Apache-2.0 AND LGPL-3.0-or-later')])).toEqual([])
  })

  it('on the list that nothing needs is named', () => {
    const unneeded = unneededLicences([{ name: 'a', version: '1', licence: '(MIT AND ISC)' }])
    expect(unneeded).toContain('OFL-1.1')
    expect(unneeded).not.toContain('ISC')
    expect(unneeded.some((line) => line.startsWith('LGPL-3.0-or-later of'))).toBe(true)
  })
})

it('says of a component whose package brings no text of its licence that it does not', () => {
  const libvips = { name: '@img/sharp-libvips-linux-x64', version: '1.3.2', licence: 'LGPL-3.0-or-later' }
  expect(licenceLine(libvips, 0)).toBe(
    '@img/sharp-libvips-linux-x64@1.3.2  LGPL-3.0-or-later  (its package brings no text here)',
  )
  expect(licenceLine({ ...libvips, licence: null }, 1)).toBe('@img/sharp-libvips-linux-x64@1.3.2  no licence')
})
