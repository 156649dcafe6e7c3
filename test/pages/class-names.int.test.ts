import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Script } from 'node:vm'
import { expect, test } from 'vitest'

const client = join(import.meta.dirname, '..', '..', 'src', 'web', 'client')

type Module = { file: string; defined: Set<string>; used: Set<string> }

/** Every class that a CSS module defines; comments, strings and numbers are no classes. */
function definedIn(css: string): Set<string> {
  const bare = css.replace(/\/\*[^]*?\*\/|"[^"]*"|url\([^)]*\)/g, '')
  return new Set([...bare.matchAll(/\.([A-Za-z_][\w-]*)(?=[^;{}]*\{)/g)].map(([, name]) => name ?? ''))
}

/** Which classes of which modules the screens use. A misspelt one would quietly be `undefined`. */
async function modules(): Promise<Module[]> {
  const files = await readdir(client, { recursive: true })
  const found = new Map<string, Module>()
  for (const file of files.filter((each) => each.endsWith('.module.css'))) {
    const css = await readFile(join(client, file), 'utf8')
    found.set(join(client, file), { file, defined: definedIn(css), used: new Set() })
  }
  for (const file of files.filter((each) => /\.tsx?$/.test(each))) {
    const source = await readFile(join(client, file), 'utf8')
    for (const [, local, path] of source.matchAll(/import (\w+) from '(\.[^']+\.module\.css)'/g)) {
      const module = found.get(join(client, dirname(file), path ?? ''))
      expect(module, `${file} imports ${path}`).toBeDefined()
      const program = source.replace(/^import .*$|^\s*(?:\/\/|\/?\*).*$/gm, '')
      for (const [, name] of program.matchAll(new RegExp(String.raw`\b${local}\.(\w+)`, 'g')))
        module?.used.add(name ?? '')
      // A class chosen by a value, as in `styles[look]`, may be any of them.
      if (new RegExp(String.raw`\b${local}\[`).test(program))
        for (const name of module?.defined ?? []) module?.used.add(name)
    }
  }
  return [...found.values()]
}

test('every class that a screen uses is defined in its module, and none is defined for nothing', async () => {
  const all = await modules()
  expect(all.length).toBeGreaterThan(20)
  const undefinedNames = all.flatMap(({ file, defined, used }) =>
    [...used].filter((name) => !defined.has(name)).map((name) => `${file}: .${name} is not defined`),
  )
  const unusedNames = all.flatMap(({ file, defined, used }) =>
    [...defined].filter((name) => !used.has(name)).map((name) => `${file}: .${name} is not used`),
  )
  expect([...undefinedNames, ...unusedNames]).toEqual([])
})

/** The build makes an export of each class (`vite.config.ts`): one called `delete` would quietly be `undefined`. */
test('every class has a name that a constant may have', async () => {
  const isName = (name: string): boolean => {
    try {
      return Boolean(new Script(`'use strict'; const ${name} = 0`))
    } catch {
      return false
    }
  }
  expect(['delete', 'two-words', 'plain'].filter(isName)).toEqual(['plain'])
  const names = (await modules()).flatMap(({ file, defined }) => [...defined].map((name) => ({ file, name })))
  expect(names.filter(({ name }) => !isName(name))).toEqual([])
})
