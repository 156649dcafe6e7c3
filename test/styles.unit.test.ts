import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { colors } from '#web/contract/colors.ts'

const client = join(import.meta.dirname, '..', 'src/web/client')
const read = (path: string): string => readFileSync(join(client, path), 'utf8')

const classesIn = (css: string): ReadonlySet<string> =>
  new Set(
    [...css.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name]) => name ?? ''),
  )

// A class that is not there is undefined, which nothing but the look of the page would tell.
it('every class that a screen names stands in its stylesheet', () => {
  const screens = globSync('**/*.tsx', { cwd: client })
  const missing = screens.flatMap((path) => {
    const text = read(path)
    const sheets = [...text.matchAll(/import (\w+) from '([^']+\.module\.css)'/g)]
    return sheets.flatMap(([, name = '', sheet = '']) => {
      const classes = classesIn(read(join(dirname(path), sheet)))
      // Names of files apart, as in an import or a comment.
      const named = text.matchAll(new RegExp(`\\b${name}\\.(?!module|tsx?\\b)(\\w+)`, 'g'))
      return [...named].filter(([, one = '']) => !classes.has(one)).map(([what]) => `${path}: ${what}`)
    })
  })
  expect(screens.length).toBeGreaterThan(50)
  expect(missing).toEqual([])
})

it.each(['wall', 'ink'] as const)('what bears no style sheet has the %s of the page', (name) => {
  const { light, dark } = colors[name]
  expect(read('styles/tokens.css')).toContain(`--${name}: light-dark(${light}, ${dark});`)
})
