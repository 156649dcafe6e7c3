import type { Node } from '@tiptap/pm/model'
import type { Transaction } from '@tiptap/pm/state'

/** The words of a text. A break of a line counts as the blank that it may become. */
const wordsOf = ({ content }: Node): string =>
  content.textBetween(0, content.size, '\n', '\n').replace(/\s+/g, ' ').trim()

/**
 * Makes of a text another one. Of one with the same words, as a save writes it in its own way, what is the same in both stays, and
 * so do the steps by which it is undone. Another one, as where changes are discarded, takes the place of all: a step that gives
 * back what was deleted would put it beside what is back already.
 */
export function putText(tr: Transaction, text: Node): void {
  const from = tr.doc.content.findDiffStart(text.content)
  const to = tr.doc.content.findDiffEnd(text.content)
  if (from === null || to === null) return
  if (wordsOf(tr.doc) === wordsOf(text)) {
    // Of letters that stand twice the two may name the same ones.
    const twice = Math.max(0, from - Math.min(to.a, to.b))
    tr.replace(from, to.a + twice, text.slice(from, to.b + twice))
  }
  // Not every part fits by itself, as the middle of a list.
  if (!tr.doc.eq(text)) tr.replaceWith(0, tr.doc.content.size, text.content)
}
