import { useLayoutEffect, useRef } from 'react'
import { useLatest } from '../lib/use-latest.ts'
import styles from './rich-text-field.module.css'

/** Stands in the text where its selection begins and ends. */
export const MARK = '\u{E000}'

/** What was done before the editor came. */
export type Begun = {
  /** the text before anything was typed into it */
  first: string
  /** the text with a mark at either end of the selection; null where nothing of it is selected */
  marked: string | null
  /** the text has the focus; else a tool may have it, which acts on what is selected */
  isFocused: boolean
  /** in pixels: a long text scrolls by itself */
  scrolledTo: number
}

export type RichText = {
  /** HTML; empty text for nothing */
  value: string
  onChange: (html: string) => void
}

/** What names and describes a rich text. */
export type RichTextNames = { labelId: string; describedBy: string | undefined; invalid: boolean }

type RichTextPlaceProps = RichText &
  RichTextNames & {
    /** called with what the editor is to go on with: when another text is shown, and when the place goes */
    onBegun: (begun: Begun) => void
    /** told of what is pasted and dropped; @returns whether nothing of it may be taken */
    refuseImages: (data: DataTransfer | null) => boolean
  }

/**
 * The text while its editor has not come: it reads as it will, and takes what is typed by the browser's own means.
 */
export function RichTextPlace({
  value,
  onChange,
  labelId,
  describedBy,
  invalid,
  onBegun,
  refuseImages,
}: RichTextPlaceProps) {
  const element = useRef<HTMLDivElement>(null)
  const shown = useRef<string>(null)
  const first = useRef(value)
  const latest = useLatest({ onBegun })

  // React does not know what is typed here. A text that came from outside: fetched, restored, discarded.
  useLayoutEffect(() => {
    if (!element.current || value === shown.current) return
    element.current.innerHTML = value || '<p><br></p>'
    shown.current = value
    first.current = value
    latest.current.onBegun({ first: value, marked: null, isFocused: false, scrolledTo: 0 })
  }, [value, latest])

  useLayoutEffect(() => {
    const place = element.current
    return () => {
      if (!place) return
      const scrolledTo = place.scrollTop
      const marked = markSelection(place) ? htmlOf(place) : null
      const isFocused = document.activeElement === place
      // oxlint-disable-next-line react-hooks/exhaustive-deps -- the newest is meant
      latest.current.onBegun({ first: first.current, marked, isFocused, scrolledTo })
    }
  }, [latest])

  const onInput = (): void => {
    if (!element.current) return
    // Of what was pasted the text is taken.
    for (const image of element.current.querySelectorAll('img')) image.remove()
    shown.current = htmlOf(element.current)
    onChange(shown.current)
  }
  return (
    <div className={styles.text}>
      <div
        ref={element}
        contentEditable
        // What the browser makes of her words would be hers with the next key.
        translate="no"
        role="textbox"
        tabIndex={0}
        aria-multiline="true"
        aria-labelledby={labelId}
        aria-describedby={describedBy}
        aria-invalid={invalid || undefined}
        onInput={onInput}
        onPaste={(event) => refuseImages(event.clipboardData) && event.preventDefault()}
        onDrop={(event) => refuseImages(event.dataTransfer) && event.preventDefault()}
      />
    </div>
  )
}

/** Marks what is selected in the text. @returns whether anything is, or the caret stands there */
function markSelection(place: HTMLElement): boolean {
  const selection = getSelection()
  if (!selection?.rangeCount) return false
  const range = selection.getRangeAt(0)
  if (!place.contains(range.commonAncestorContainer)) return false
  const [from, to] = [
    inText(range.startContainer, range.startOffset),
    inText(range.endContainer, range.endOffset),
  ]
  range.setStart(...from)
  range.setEnd(...to)
  const end = range.cloneRange()
  end.collapse(false)
  end.insertNode(new Text(MARK))
  range.insertNode(new Text(MARK))
  return true
}

/** A place between paragraphs, where a mark would be one more, is the next one's beginning, or the end of the last. */
function inText(node: Node, offset: number): [Node, number] {
  const next = node.childNodes[offset]
  const child = next ?? node.lastChild
  if (!child || child.nodeName === 'BR') return [node, offset]
  return inText(child, next ? 0 : (child.nodeValue ?? '').length || child.childNodes.length)
}

/** The text without the line breaks by which a browser keeps empty lines open; empty text for nothing. */
function htmlOf(place: HTMLElement): string {
  if (place.textContent === '') return ''
  const copy = document.createElement('div')
  copy.append(...place.cloneNode(true).childNodes)
  for (const lineBreak of copy.querySelectorAll('br:last-child'))
    if (!lineBreak.nextSibling) lineBreak.remove()
  return copy.innerHTML
}
