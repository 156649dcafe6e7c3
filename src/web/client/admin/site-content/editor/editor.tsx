import {
  type ChainedCommands,
  createDocument,
  type Editor as Core,
  type EditorOptions,
  getHTMLFromFragment,
  isNodeEmpty,
} from '@tiptap/core'
import { TextSelection, type Transaction } from '@tiptap/pm/state'
import { EditorContent, useEditor, useEditorState } from '@tiptap/react'
import StarterKit from '@tiptap/starter-kit'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { useLatest } from '../../lib/use-latest.ts'
import { type Begun, MARK, type RichText, type RichTextNames } from '../rich-text-place.tsx'
import type { Tool, Tools } from '../toolbar.tsx'
import { isAllowedLink, LinkRow } from './link-row.tsx'
import { isInList, ListNesting } from './list-nesting.ts'
import { beforeText, putText } from './other-text.ts'
import field from '../rich-text-field.module.css'

/** Exactly the demanded tools; everything else of the kit is off. */
const EXTENSIONS: EditorOptions['extensions'] = [
  StarterKit.configure({
    heading: false,
    code: false,
    codeBlock: false,
    strike: false,
    underline: false,
    horizontalRule: false,
    dropcursor: false,
    trailingNode: false,
    undoRedo: { depth: 100, newGroupDelay: 1_000 },
    link: {
      openOnClick: false,
      autolink: false,
      isAllowedUri: isAllowedLink,
      // The server adds what a link to another site needs.
      HTMLAttributes: { target: null, rel: null },
    },
  }),
  ListNesting,
]

type EditorProps = RichText &
  RichTextNames & {
    begun: RefObject<Begun>
    linkButton: RefObject<HTMLButtonElement | null>
    /** called with what the toolbar shows and does, anew whenever it changes */
    onTools: (tools: Tools) => void
    /** told of what is pasted and dropped; @returns whether nothing of it may be taken */
    refuseImages: (data: DataTransfer | null) => boolean
  }

/** The style that each tool gives to the selected text, and how. */
const STYLES: readonly { tool: Tool; name: string; toggle?: (chain: ChainedCommands) => ChainedCommands }[] =
  [
    { tool: 'Bold', name: 'bold', toggle: (chain) => chain.toggleBold() },
    { tool: 'Italic', name: 'italic', toggle: (chain) => chain.toggleItalic() },
    { tool: 'Ordered list', name: 'orderedList', toggle: (chain) => chain.toggleOrderedList() },
    { tool: 'Bullet list', name: 'bulletList', toggle: (chain) => chain.toggleBulletList() },
    { tool: 'Blockquote', name: 'blockquote', toggle: (chain) => chain.toggleBlockquote() },
    { tool: 'Link', name: 'link' },
  ]

/** What an empty editor and one that ends in empty lines say. */
const htmlOf = ({ state, schema }: Core, doc = state.doc): string =>
  isNodeEmpty(doc) ? '' : getHTMLFromFragment(doc.content, schema).replace(/(?:<p><\/p>)+$/, '')

const BARE_ROWS = /^\s*(?:<meta[^>]*>\s*)?<t(?:[drh]|body|head|foot)\b/i

/** Without tables, which the text does not know: each row is a line, with blanks between its cells. */
function rowsAsLines(html: string): string {
  // Rows or cells without their table are none to the parser.
  const whole = BARE_ROWS.test(html) ? `<table>${html}` : html
  // Of its own: nothing of it is fetched.
  const pasted = new DOMParser().parseFromString(whole, 'text/html')
  const rows = pasted.querySelectorAll('tr')
  for (const row of rows) {
    const line = pasted.createElement('div')
    line.append(...[...row.cells].flatMap((cell) => [...cell.childNodes, ' ']))
    row.replaceWith(line)
  }
  return rows.length > 0 ? pasted.body.innerHTML : html
}

/** Text with a few styles. Calls `onChange` with HTML while it is typed. */
export default function RichTextEditor({
  value,
  onChange,
  labelId,
  describedBy,
  invalid,
  begun,
  linkButton,
  onTools,
  refuseImages,
}: EditorProps) {
  const [keepsEscape, setKeepsEscape] = useState(false)
  const [isLinking, setIsLinking] = useState(false)
  const latest = useLatest({ onChange, onTools, refuseImages })
  /** the saved text as it came and as the editor writes it: the same text is no change */
  const saved = useRef({ value, html: value })
  const shown = useRef(value)

  const editor = useEditor({
    extensions: EXTENSIONS,
    content: value,
    injectCSS: false,
    shouldRerenderOnTransaction: false,
    editorProps: {
      attributes: {
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-labelledby': labelId,
        ...(describedBy === undefined ? {} : { 'aria-describedby': describedBy }),
        ...(invalid ? { 'aria-invalid': 'true' } : {}),
      },
      transformPastedHTML: rowsAsLines,
      handlePaste: (_view, event) => latest.current.refuseImages(event.clipboardData),
      handleDrop: (_view, event) => latest.current.refuseImages(event.dataTransfer),
    },
    onUpdate: ({ editor: changed }) => {
      const html = htmlOf(changed)
      shown.current = html === saved.current.html ? saved.current.value : html
      latest.current.onChange(shown.current)
    },
    onTransaction: ({ editor: changed }) => setKeepsEscape(changed.isFocused && isInList(changed.state)),
    onFocus: ({ editor: focused }) => setKeepsEscape(isInList(focused.state)),
    onBlur: () => setKeepsEscape(false),
  })

  // A text that came from outside: fetched, restored, discarded. It is no step to undo.
  useLayoutEffect(() => {
    if (value === shown.current) return
    shown.current = value
    show(editor, value, value === saved.current.value)
    saved.current = { value, html: htmlOf(editor) }
  }, [editor, value])

  useLayoutEffect(() => {
    const { first, marked, isFocused, scrolledTo } = begun.current
    if (value !== first) show(editor, first)
    saved.current = { value: first, html: htmlOf(editor) }
    goOn(editor, marked ?? value, value !== first)
    if (isFocused) editor.view.focus()
    editor.view.dom.scrollTop = scrolledTo
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once: what was begun in the editor's place
  }, [editor])

  const on = useEditorState({
    editor,
    selector: ({ editor: now }) => STYLES.filter(({ name }) => now.isActive(name)).map(({ tool }) => tool),
  })
  useLayoutEffect(() => {
    const press = (tool: Tool): void => {
      const chain = editor.chain()
      if (tool === 'Link') setIsLinking((before) => !before)
      else if (tool === 'Clean') chain.focus().clearNodes().unsetAllMarks().run()
      else
        STYLES.find((style) => style.tool === tool)
          ?.toggle?.(chain.focus())
          .run()
    }
    latest.current.onTools({ on, isLinking, press })
  }, [editor, on, isLinking, latest])

  return (
    <div data-keeps-escape={keepsEscape || undefined}>
      {isLinking && (
        <LinkRow
          editor={editor}
          onClose={() => {
            setIsLinking(false)
            linkButton.current?.focus()
          }}
          onDone={() => setIsLinking(false)}
        />
      )}
      <EditorContent editor={editor} className={field.text} />
    </div>
  )
}

/**
 * Shows another text; no step to undo. The caret stays at its place, as where a save has made it of what was typed.
 * @param isFormer it stood there before, as where changes are discarded
 */
function show(editor: Core, html: string, isFormer = false): void {
  const text = createDocument(html, editor.schema)
  if (htmlOf(editor, text) === htmlOf(editor)) return
  const { anchor, head } = editor.state.selection
  editor.view.updateState(beforeText(editor.state, text, isFormer))
  editor
    .chain()
    .setMeta('addToHistory', false)
    .setMeta('preventUpdate', true)
    .command(({ tr }) => {
      putText(tr, text)
      const at = (place: number) => tr.doc.resolve(Math.min(place, tr.doc.content.size))
      // Where the other text has no letters, as between two paragraphs, it goes to the nearest ones.
      tr.setSelection(TextSelection.between(at(anchor), at(head)))
      return true
    })
    .run()
}

/** Goes on with what was typed and selected before the editor came; only what was typed is a step to undo. */
function goOn(editor: Core, html: string, isTyped: boolean): void {
  editor
    .chain()
    .setMeta('addToHistory', isTyped)
    .setContent(html, { emitUpdate: isTyped, parseOptions: { preserveWhitespace: isTyped } })
    .command(({ tr }) => {
      takeMarks(tr)
      return true
    })
    .run()
}

/** Takes the marks out and selects what they stood around. */
function takeMarks(tr: Transaction): void {
  const places: number[] = []
  tr.doc.descendants((node, position) => {
    for (const { index } of (node.text ?? '').matchAll(new RegExp(MARK, 'g'))) places.push(position + index)
  })
  for (const place of places.toReversed()) tr.delete(place, place + MARK.length)
  const [from, to] = places
  if (from !== undefined && to !== undefined)
    tr.setSelection(TextSelection.create(tr.doc, from, to - MARK.length))
}
