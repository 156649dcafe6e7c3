import type { Node } from '@tiptap/pm/model'
import { EditorState, type Transaction } from '@tiptap/pm/state'

/** The words of a text, and what quotes and lists they stand in. A break of a line counts as the blank that it may become. */
const wordsOf = (text: Node): string => {
  const places: string[] = []
  text.descendants((node, position) => {
    if (!node.isTextblock) return
    const words = node.textBetween(0, node.content.size, null, '\n').replace(/\s+/g, ' ').trim()
    const at = text.resolve(position)
    const around = Array.from({ length: at.depth }, (_, depth) => at.node(depth + 1).type.name)
    if (words !== '') places.push([...around, words].join(' '))
  })
  return places.join('\n')
}

/**
 * The state before another text is shown. What a save has made of the same words goes on being undone; of anything else nothing is
 * left to undo: a step that gives back what was deleted, or quotes again, would do so beside or around what is back already.
 * @param isFormer the text stood there before, as where changes are discarded
 */
export function beforeText(state: EditorState, text: Node, isFormer: boolean): EditorState {
  const { doc, selection, storedMarks, plugins } = state
  if (!isFormer && wordsOf(doc) === wordsOf(text)) return state
  return EditorState.create({ doc, selection, storedMarks, plugins })
}

/** Makes of a text another one. What is the same in both stays, and so do the steps by which it is undone. */
export function putText(tr: Transaction, text: Node): void {
  const from = tr.doc.content.findDiffStart(text.content)
  const to = tr.doc.content.findDiffEnd(text.content)
  if (from === null || to === null) return
  // Of letters that stand twice the two may name the same ones.
  const twice = Math.max(0, from - Math.min(to.a, to.b))
  tr.replace(from, to.a + twice, text.slice(from, to.b + twice))
  // Not every part fits by itself, as the middle of a list.
  if (!tr.doc.eq(text)) tr.replaceWith(0, tr.doc.content.size, text.content)
}
