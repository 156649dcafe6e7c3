import { OWNER_DELAYS } from '../../admin-constants.ts'
import type { Editor as Core, EditorOptions } from '@tiptap/core'
import { EditorContent, useEditor } from '@tiptap/react'
import StarterKit from '@tiptap/starter-kit'
import { useEffect, useRef, useState } from 'react'
import { EDITOR_HISTORY_DEPTH } from '../../../lib/constants.ts'
import { useLatest } from '../../lib/use-latest.ts'
import { isAllowedLink } from './link-row.tsx'
import { isInList, ListNesting } from './list-nesting.ts'
import { Toolbar } from './toolbar.tsx'
import styles from './editor.module.css'

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
    undoRedo: { depth: EDITOR_HISTORY_DEPTH, newGroupDelay: OWNER_DELAYS.editorHistoryGroup },
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

type EditorProps = {
  value: string
  onChange: (html: string) => void
  rows: number
  labelId: string
  describedBy: string | undefined
  invalid: boolean
}

/** What an empty editor and one that ends in empty lines say. */
const htmlOf = (editor: Core): string =>
  editor.isEmpty ? '' : editor.getHTML().replace(/(?:<p><\/p>)+$/, '')

const isImage = (file: File): boolean => file.type.startsWith('image/')
const bringsImage = (data: DataTransfer | null): boolean =>
  [...(data?.files ?? [])].some(isImage) || /<img\b/i.test(data?.getData('text/html') ?? '')

/** Text with a few styles. Calls `onChange` with HTML while it is typed. */
export default function RichTextEditor({
  value,
  onChange,
  rows,
  labelId,
  describedBy,
  invalid,
}: EditorProps) {
  const [refused, setRefused] = useState(false)
  const [keepsEscape, setKeepsEscape] = useState(false)
  const latest = useLatest({ onChange })
  /** the saved text as it came and as the editor writes it: the same text is no change */
  const saved = useRef({ value, html: value })
  const shown = useRef(value)

  /** Refuses images; text that comes with them is taken. True when nothing else is left to take. */
  const refuseImages = (data: DataTransfer | null): boolean => {
    setRefused(bringsImage(data))
    return bringsImage(data) && !data?.getData('text/plain')
  }
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
      handlePaste: (_view, event) => refuseImages(event.clipboardData),
      handleDrop: (_view, event) => refuseImages(event.dataTransfer),
    },
    onCreate: ({ editor: created }) => {
      saved.current = { value, html: htmlOf(created) }
    },
    onUpdate: ({ editor: changed }) => {
      const html = htmlOf(changed)
      shown.current = html === saved.current.html ? saved.current.value : html
      latest.current.onChange(shown.current)
    },
    onTransaction: ({ editor: changed }) => setKeepsEscape(changed.isFocused && isInList(changed.state)),
    onFocus: ({ editor: focused }) => setKeepsEscape(isInList(focused.state)),
    onBlur: () => {
      setKeepsEscape(false)
      setRefused(false)
    },
  })

  // A text that came from outside: refetched, restored, discarded. It is no step to undo.
  useEffect(() => {
    if (value === shown.current) return
    shown.current = value
    editor.chain().setMeta('addToHistory', false).setContent(value, { emitUpdate: false }).run()
    saved.current = { value, html: htmlOf(editor) }
  }, [editor, value])

  return (
    <div
      ref={(frame) => frame?.style.setProperty('--rows', String(rows))}
      className={styles.editor}
      data-invalid={invalid || undefined}
      data-keeps-escape={keepsEscape || undefined}
    >
      <Toolbar editor={editor} />
      <EditorContent editor={editor} className={styles.text} />
      <div role="alert">
        {refused && (
          <p className={styles.refused}>
            Pictures cannot be put into this text; add them in the Gallery tab.
          </p>
        )}
      </div>
    </div>
  )
}
