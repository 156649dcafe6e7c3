import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const found = (pattern: string): readonly string[] => globSync(pattern, { cwd: root })

const rules = new Set(
  found('docs/spec/*.md').flatMap((path) =>
    [...read(path).matchAll(/^(?:- )?\*\*([A-Z]+-\d+)\*\*/gm)].map(([, id]) => id),
  ),
)
const records = new Set(
  found('docs/decisions/[0-9]*.md').map((path) => Number(/(\d{4})-[^/]*\.md$/.exec(path)?.[1])),
)

const sources = [...found('{src,test,build,bench}/**/*.{ts,tsx,css,mjs}'), ...found('*.ts')].filter(
  (path) => !path.includes('lint-fixtures') && !path.endsWith('references.unit.test.ts'),
)

describe('what a comment refers to', () => {
  it('is a rule of docs/spec or a decision record that is there', () => {
    const lost = sources.flatMap((path) =>
      [...read(path).matchAll(/\bspec ([A-Z]+-\d+)|\bADR (\d+)/g)]
        .filter(([, rule, record]) => (rule === undefined ? !records.has(Number(record)) : !rules.has(rule)))
        .map(([what]) => `${path}: ${what}`),
    )
    expect(lost).toEqual([])
  })

  it('is never a number of a text that is not in the repository', () => {
    const lost = sources.filter((path) =>
      /\b(?:decisions?|specification|interface|design|facts|problem|sections?) §?\d|\(interface\b/i.test(
        read(path).replace(/docs\/decisions\/\d+/g, ''),
      ),
    )
    expect(lost).toEqual([])
  })

  it('reads rules from every file of docs/spec but its README', () => {
    expect(rules.size).toBeGreaterThan(300)
  })
})
