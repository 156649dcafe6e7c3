import { z } from 'zod'
import type { Component } from './licences.ts'

const licence = z.union([
  z.object({ expression: z.string() }).transform(({ expression }) => expression),
  z
    .object({ license: z.object({ id: z.string().optional(), name: z.string().optional() }) })
    .transform(({ license: { id, name } }) => id ?? name ?? ''),
])
const component = z.looseObject({
  name: z.string(),
  version: z.string(),
  licenses: z.array(licence).default([]),
})
const bill = z.looseObject({
  bomFormat: z.literal('CycloneDX'),
  metadata: z.looseObject({ component: z.looseObject({ name: z.string() }) }),
  components: z.array(z.looseObject({})),
})

/** Fonts that stand in the repository and are no package: subsets, each under its family's licence. */
const fonts = [
  ['Newsreader', 'https://github.com/productiontype/Newsreader'],
  ['Anek Latin', 'https://github.com/EkType/Anek'],
  ['Eczar', 'https://github.com/rosettatype/eczar'],
].map(([name, url]) => ({
  'bom-ref': `font:${name}`,
  type: 'file',
  name,
  version: 'subset',
  description: 'A font, subset',
  licenses: [{ license: { id: 'OFL-1.1' } }],
  externalReferences: [{ type: 'vcs', url }],
}))

/** Npm's bill of materials with the site under its own name, and with the fonts. */
export const wholeBill = (json: unknown, name: string): z.output<typeof bill> => {
  const { metadata, components, ...rest } = bill.parse(json)
  return {
    ...rest,
    // Npm calls it as its folder is called.
    metadata: { ...metadata, component: { ...metadata.component, type: 'application', name } },
    components: [...components, ...fonts],
  }
}

/** What ships, with the licence of each as one expression. */
export const componentsOf = ({
  components,
}: Pick<z.output<typeof bill>, 'components'>): readonly Component[] =>
  z
    .array(component)
    .parse(components)
    .map(({ name, version, licenses }) => ({
      name,
      version,
      // Several are all asked for.
      licence:
        licenses.length === 0
          ? null
          : licenses.map((each) => (licenses.length > 1 ? `(${each})` : each)).join(' AND '),
    }))
