import { useLayoutEffect, useRef } from 'react'
import { useLatest } from '../lib/use-latest.ts'
import styles from './rich-text-field.module.css'

/** Stands in the text where its selection begins and ends. */
export const MARK = '\u{E000}'

/** What was done before the editor came. */
export type Begun = {
  /** the text before anything was typed into it */
  first: string
  /** the text with a mark at either end of the selection; null where the text has not got the focus */
  marked: string | null
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
    latest.current.onBegun({ first: value, marked: null })
  }, [value, latest])

  useLayoutEffect(() => {
    const place = element.current
    return () => {
      if (!place || document.activeElement !== place || !markSelection()) return
      // oxlint-disable-next-line react-hooks/exhaustive-deps -- the newest is meant
      latest.current.onBegun({ first: first.current, marked: htmlOf(place) })
    }
  }, [latest])

  const onInput = (): void => {
    if (!element.current) return
    shown.current = htmlOf(element.current)
    onChange(shown.current)
  }
  return (
    <div className={styles.text}>
      <div
        ref={element}
        contentEditable
        role="textbox"
        tabIndex={0}
        aria-multiline="true"
        aria-labelledby={labelId}
        aria-describedby={describedBy}
        aria-invalid={invalid || undefined}
        onInput={onInput}
      />
    </div>
  )
}

function markSelection(): boolean {
  const selection = getSelection()
  if (!selection?.rangeCount) return false
  const range = selection.getRangeAt(0)
  const end = range.cloneRange()
  end.collapse(false)
  end.insertNode(new Text(MARK))
  range.insertNode(new Text(MARK))
  return true
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
