import { getSchema } from '@tiptap/core'
import { history, undo } from '@tiptap/pm/history'
import type { Node } from '@tiptap/pm/model'
import { EditorState, type Transaction } from '@tiptap/pm/state'
import StarterKit from '@tiptap/starter-kit'
import { expect, test } from 'vitest'
import { beforeText, putText } from './other-text.ts'

const schema = getSchema([StarterKit.configure({ undoRedo: false })])

const textOf = (...paragraphs: string[]): Node =>
  schema.node(
    'doc',
    null,
    paragraphs.map((words) => schema.node('paragraph', null, words === '' ? [] : [schema.text(words)])),
  )

const begun = (...paragraphs: string[]): EditorState =>
  EditorState.create({ doc: textOf(...paragraphs), plugins: [history()] })

const changed = (state: EditorState, change: (tr: Transaction) => void): EditorState => {
  const { tr } = state
  change(tr)
  return state.apply(tr)
}

const given = (state: EditorState, text: Node, isFormer = false): EditorState =>
  changed(beforeText(state, text, isFormer), (tr) => putText(tr.setMeta('addToHistory', false), text))

const undone = (state: EditorState): readonly string[] => {
  let after = state
  undo(state, (tr) => {
    after = state.apply(tr)
  })
  return after.doc.content.content.map(({ textContent }) => textContent)
}

const TEXT = ['One', 'Two words here', 'Three']

test.each([
  ['a paragraph', 5, 21],
  ['the first paragraph', 0, 5],
  ['the last paragraph', 21, 28],
  ['a word', 10, 16],
  ['a break', 4, 6],
  ['all', 0, 28],
])('an undo behind discarded changes brings %s that was deleted back no second time', (_, from, to) => {
  const first = begun(...TEXT)
  const other = changed(first, (tr) => tr.delete(from, to))
  for (const isFormer of [true, false]) {
    const discarded = given(other, first.doc, isFormer)
    expect(discarded.doc.eq(first.doc)).toBe(true)
    expect(undone(discarded)).toEqual(TEXT)
  }
})

test('an undo behind discarded changes quotes nothing twice', () => {
  const quote = schema.node('blockquote', null, textOf('One').content)
  const first = EditorState.create({ doc: schema.node('doc', null, [quote]), plugins: [history()] })
  const paragraph = first.doc.resolve(2).blockRange()
  const unquoted = changed(first, (tr) => paragraph && tr.lift(paragraph, 0))
  expect(unquoted.doc.eq(textOf('One'))).toBe(true)
  for (const isFormer of [true, false]) {
    const discarded = given(unquoted, first.doc, isFormer)
    expect(undo(discarded)).toBe(false)
    expect(discarded.doc.eq(first.doc)).toBe(true)
  }
})

test('an undo behind a save goes on where the server writes the same words in its own way', () => {
  const typed = changed(begun('One', 'Two '), (tr) => tr.insertText('Not ', 1))
  const saved = given(typed, textOf('Not One', 'Two'))
  expect(undone(saved)).toEqual(['One', 'Two'])
})

test('what stands twice is made of what stands once, and the other way round', () => {
  const twice = textOf('Ha ha ha', 'Ha ha ha')
  const once = textOf('Ha ha ha')
  expect(given(begun('Ha ha ha'), twice).doc.eq(twice)).toBe(true)
  expect(given(begun('Ha ha ha', 'Ha ha ha'), once).doc.eq(once)).toBe(true)
})
