import { type Editor, Extension } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { type EditorState, Plugin } from '@tiptap/pm/state'

const MOST_LEVELS = 8
const ITEM = 'listItem'
const isList = (node: Node): boolean => node.type.name === 'bulletList' || node.type.name === 'orderedList'

/** How many lists lie one in another inside of a node, the node itself included. */
function depthIn(node: Node): number {
  let deepest = 0
  node.forEach((child) => {
    deepest = Math.max(deepest, depthIn(child))
  })
  return deepest + (isList(node) ? 1 : 0)
}

/** Whether the selection stands in a list. */
export function isInList({ selection: { $from } }: EditorState): boolean {
  return levelAt($from.depth, (depth) => $from.node(depth)) > 0
}

function levelAt(depth: number, nodeAt: (depth: number) => Node): number {
  return Array.from({ length: depth + 1 }, (_, each) => nodeAt(each)).filter(isList).length
}

/** Whether the selected items may go one level deeper without any text below them passing the last level. */
function maySink(state: EditorState): boolean {
  const { $from, $to } = state.selection
  const range = $from.blockRange($to, (node) => node.firstChild?.type.name === ITEM)
  if (!range) return false
  const level = levelAt(range.depth, (depth) => $from.node(depth))
  let below = 0
  for (let index = range.startIndex; index < range.endIndex; index += 1) {
    below = Math.max(below, depthIn(range.parent.child(index)))
  }
  return level + below < MOST_LEVELS
}

/** Takes one level more, or one less, and nothing else: inside a list the Tab key never leaves. */
function indent(editor: Editor, by: 'sink' | 'lift'): boolean {
  if (!isInList(editor.state)) return false
  if (by === 'lift') editor.commands.liftListItem(ITEM)
  else if (maySink(editor.state)) editor.commands.sinkListItem(ITEM)
  return true
}

/**
 * Tab and Shift+Tab nest lists, up to eight levels; after Escape the next Tab leaves the editor.
 * `storage.listNesting.isLeaving` says that Escape was pressed.
 */
export const ListNesting = Extension.create<object, { isLeaving: boolean }>({
  name: 'listNesting',
  // Before the list item's own keys, which know no last level.
  priority: 1_000,
  addStorage: () => ({ isLeaving: false }),
  addKeyboardShortcuts() {
    return {
      Tab: ({ editor }) => indent(editor, 'sink'),
      'Shift-Tab': ({ editor }) => indent(editor, 'lift'),
    }
  },
  addProseMirrorPlugins() {
    const { storage } = this
    return [
      new Plugin({
        props: {
          handleDOMEvents: {
            keydown: (view, event) => {
              if (event.key === 'Escape') storage.isLeaving = isInList(view.state)
              else if (event.key === 'Tab') return storage.isLeaving
              else if (event.key !== 'Shift') storage.isLeaving = false
              return false
            },
            blur: () => {
              storage.isLeaving = false
              return false
            },
          },
        },
      }),
    ]
  },
})
