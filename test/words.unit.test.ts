import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseSync } from 'vite'
import { describe, expect, it } from 'vitest'
import { isMachine } from '../build/lint/floors.ts'

/**
 * The glossary of ARCHITECTURE in names: a word refused, the word of the trade, and the names that hold the refused one all
 * the same: stored events and what is made of them, promises of the API and the operator's commands, elements of HTML.
 */
const refused: readonly { readonly not: RegExp; readonly but: string; readonly unless: readonly string[] }[] =
  [
    {
      not: /picture/i,
      but: 'image',
      unless: [
        // Events, their fields and the documents made of them.
        '.ArtworkPictureCopied',
        '.ArtworkPictureLinked',
        '.ArtworkPictureReplaced',
        '.BlogPostPictureCopied',
        '.picture',
        '.pictureUrl',
        '.pictures',
        // The element of HTML.
        '<picture',
      ],
    },
    {
      not: /^works$|[a-z]Works$|(?:^|[a-z])(?:[aA]dd|[sS]how|[oO]pen|[fF]ind)Work$/,
      but: 'artwork',
      unless: [],
    },
    {
      not: /letter/i,
      but: 'message, font or character',
      // The option of "events accept", and the sites kept in test/fixtures.
      unless: ['.letters'],
    },
    {
      not: /enquir/i,
      but: 'message',
      unless: [
        '.EnquiryMailed',
        '.EnquiryMailSkipped',
        '.EnquiryMailRefused',
        // The names of two calls, promised by the OpenAPI document.
        'sendEnquiry',
        'sendEnquiryForm',
        '.sendEnquiry',
        '.sendEnquiryForm',
        // What the button beside an artwork says and does.
        'enquire',
        '.enquire',
        'onEnquire',
        '.onEnquire',
        '<onEnquire',
      ],
    },
    { not: /patience/i, but: 'timeout', unless: [] },
    { not: /again(?:After)?Ms$|AGAIN_MS$/i, but: 'retry', unless: [] },
    { not: /shrink|shrunk|squeez|^packed/i, but: 'compress', unless: ['.fastShrinkOnLoad'] },
    { not: /^kept-?page|unkept/i, but: 'cache', unless: [] },
    { not: /^calm/i, but: 'debounce', unless: [] },
  ]

const root = join(import.meta.dirname, '..')
const sources = globSync(['{src,test,build,bench}/**/*.{ts,tsx,mjs}', '*.ts'], { cwd: root }).filter(
  (path) => !path.includes('lint-fixtures'),
)

type Node = { readonly type: string; readonly [key: string]: unknown }
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** Every name of a file: `.name` of a property, `<name` of an element, `name` of all else. */
function* namesIn(node: Node, parent?: Node, place?: string): Generator<string> {
  const { type, name } = node
  if (typeof name === 'string') {
    const ofProperty = !parent?.['computed'] && (place === 'key' || place === 'property')
    yield type === 'JSXIdentifier' ? `<${name}` : ofProperty ? `.${name}` : name
  }
  for (const [key, value] of Object.entries(node))
    for (const child of [value].flat()) if (isNode(child)) yield* namesIn(child, node, key)
}

const parsed = (path: string, text = readFileSync(join(root, path), 'utf8')) => {
  const { program, comments } = parseSync(path, text)
  const code = comments.reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text)
  return { path, comments, code, program: program as unknown as Node }
}
const files = sources.map((path) => parsed(path))

/** Parameters and the like that bear the name of an artwork and are something that is done or comes. */
function* doneArtworks(node: Node): Generator<string> {
  const type = (node['typeAnnotation'] as Node | undefined)?.['typeAnnotation'] as Node | undefined
  const isDone =
    type?.type === 'TSFunctionType' || (type?.['typeName'] as Node | undefined)?.['name'] === 'Promise'
  if (isDone && /^artworks?$/.test(String(node['name']))) yield String(node['name'])
  for (const child of Object.values(node).flat()) if (isNode(child)) yield* doneArtworks(child)
}

describe('names', () => {
  const names = files.map(({ path, program }) => ({
    path,
    all: [...new Set(namesIn(program)), basename(path).replace(/\..*/, '')],
  }))

  it.each(refused)('say $but', ({ not, unless }) => {
    const wrong = names.flatMap(({ path, all }) =>
      all
        .filter((name) => not.test(name.replace(/^[.<]/, '')) && !unless.includes(name))
        .map((name) => `${path}: ${name}`),
    )
    expect(wrong).toEqual([])
  })

  it('call nothing an artwork that is to be done', () => {
    const taskOf = ({ program }: { readonly program: Node }) => [...doneArtworks(program)]
    expect(files.filter((file) => taskOf(file).length > 0).map(({ path }) => path)).toEqual([])
    const text = 'const a = (artwork: () => void, b: { artwork: string }) => (artwork: Promise<b>) => artwork'
    expect(taskOf(parsed('a.ts', text))).toEqual(['artwork', 'artwork'])
  })

  it('are found wherever one stands', () => {
    const text =
      'const a = ({ b: c }: D) => <e f={g.h} />; interface I { j: K }; function l<M>(n = `${o} p`) {}'
    expect([...new Set(namesIn(parsed('a.tsx', text).program))].toSorted()).toEqual(
      ['a', '.b', 'c', 'D', '<e', '<f', 'g', '.h', 'I', '.j', 'K', 'l', 'M', 'n', 'o'].toSorted(),
    )
  })
})

describe('the machine', () => {
  /** The settings are those of this product. */
  const settings = /^src\/(?:infrastructure\/config\/|web\/server\/door\/ports\.ts$)/
  const isOfGallery = /artwork|categor|mediums|blog|enquir/i

  it('names no module of the gallery in its code', () => {
    const own = files.filter(
      ({ path }) =>
        isMachine(path.replace(/^src\//, '')) && !/\.test\.|\/testing\//.test(path) && !settings.test(path),
    )
    expect(own.length).toBeGreaterThan(100)
    expect(own.filter(({ code }) => isOfGallery.test(code)).map(({ path }) => path)).toEqual([])
  })
})

describe('comments', () => {
  const words = new Set(files.flatMap(({ code }) => code.match(/\w+/g) ?? []))
  const paths = new Set(
    globSync('{*,{src,test,build,bench,docs,ops}/**/*}', { cwd: root }).map((path) => basename(path)),
  )
  // An attribute of HTML, and a pattern.
  const elsewhere = ['maxlength', '.bench.ts']

  it('name what is there', () => {
    const missing = files.flatMap(({ path, comments }) =>
      comments
        .flatMap(({ value }) => [
          ...[...value.matchAll(/[\w.-]+\.(?:tsx?|mjs|css|md)\b/g)]
            .map(([file]) => file)
            .filter((file) => !paths.has(file)),
          ...[...value.matchAll(/`([a-z][A-Za-z]{5,})(?:\([^`]*\))?`|\{@link (\w+)\}/g)]
            .map(([, name, link]) => name ?? link ?? '')
            .filter((name) => !words.has(name)),
        ])
        .filter((name) => !elsewhere.includes(name))
        .map((name) => `${path}: ${name}`),
    )
    expect(missing).toEqual([])
  })
})
