import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseSync } from 'vite'
import { describe, expect, it } from 'vitest'

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

const parsed = (path: string, text: string): ReadonlySet<string> =>
  new Set(namesIn(parseSync(path, text).program as unknown as Node))

describe('names', () => {
  const names = sources.map((path) => ({
    path,
    all: [...parsed(path, readFileSync(join(root, path), 'utf8')), basename(path).replace(/\..*/, '')],
  }))

  it.each(refused)('say $but', ({ not, unless }) => {
    const wrong = names.flatMap(({ path, all }) =>
      all
        .filter((name) => not.test(name.replace(/^[.<]/, '')) && !unless.includes(name))
        .map((name) => `${path}: ${name}`),
    )
    expect(wrong).toEqual([])
  })

  it('are found wherever one stands', () => {
    const text =
      'const a = ({ b: c }: D) => <e f={g.h} />; interface I { j: K }; function l<M>(n = `${o} p`) {}'
    expect([...parsed('a.tsx', text)].toSorted()).toEqual(
      ['a', '.b', 'c', 'D', '<e', '<f', 'g', '.h', 'I', '.j', 'K', 'l', 'M', 'n', 'o'].toSorted(),
    )
  })
})
