import { describe, expect, it } from 'vitest'
import { componentsOf, wholeBill } from './bill.ts'

const npm = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  metadata: { timestamp: 'now', component: { name: 'clone', version: '1.0.0', type: 'library' } },
  components: [
    { name: 'a', version: '1.0.0', licenses: [{ license: { id: 'MIT' } }], purl: 'pkg:npm/a@1.0.0' },
    { name: 'b', version: '2.0.0', licenses: [{ expression: '(MIT OR CC0-1.0)' }] },
    { name: 'c', version: '3.0.0', licenses: [{ license: { id: 'ISC' } }, { license: { name: 'Own' } }] },
    { name: 'd', version: '4.0.0' },
  ],
}

describe('the bill of materials', () => {
  it('names the site, and keeps what npm says of everything', () => {
    const bill = wholeBill(npm, 'atelier')
    expect(bill.metadata).toEqual({
      timestamp: 'now',
      component: { name: 'atelier', version: '1.0.0', type: 'application' },
    })
    expect(bill.components.slice(0, 4)).toEqual(npm.components)
  })

  it('has the fonts, which are no packages', () => {
    const names = componentsOf(wholeBill(npm, 'atelier')).filter(({ licence }) => licence === 'OFL-1.1')
    expect(names.map(({ name }) => name)).toEqual(['Newsreader', 'Anek Latin', 'Eczar'])
  })

  it('gives each licence as one expression, and none where none is named', () => {
    expect(componentsOf(npm)).toEqual([
      { name: 'a', version: '1.0.0', licence: 'MIT' },
      { name: 'b', version: '2.0.0', licence: '(MIT OR CC0-1.0)' },
      { name: 'c', version: '3.0.0', licence: '(ISC) AND (Own)' },
      { name: 'd', version: '4.0.0', licence: null },
    ])
  })
})
