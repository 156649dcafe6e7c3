import { type RefObject, useEffect, useRef, useState } from 'react'
import { whenIdle } from '../../lib/when-idle.ts'
import { reload, tryAgain } from '../../lib/words.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../form/field.tsx'
import { isGone } from '../../lib/import-fetched.ts'
import { loadAgain } from '../lib/fetched-part.tsx'
import { type Begun, type RichText, type RichTextNames, RichTextPlace } from './rich-text-place.tsx'
import { type Tool, Toolbar, type Tools } from './toolbar.tsx'
import styles from './rich-text-field.module.css'

type RichTextFieldProps = RichText & {
  label: string
  /** each is at least 1.5 rem high */
  rows: number
  error: string | undefined
}

/** A field for text with a few styles. */
export function RichTextField({ label, error, ...text }: RichTextFieldProps) {
  return (
    <Field group label={label} error={error}>
      {({ labelId, describedBy, invalid }) => (
        <Frame {...text} labelId={labelId} describedBy={describedBy} invalid={invalid} />
      )}
    </Field>
  )
}

const NO_TOOLS: readonly Tool[] = []

const isImage = (file: File): boolean => file.type.startsWith('image/')
const bringsImage = (data: DataTransfer | null): boolean =>
  [...(data?.files ?? [])].some(isImage) || /<img\b/i.test(data?.getData('text/html') ?? '')

/** The toolbar and the text. The editor itself comes when the text is used or near; until then its place takes what is typed. */
function Frame({ rows, ...text }: RichText & RichTextNames & { rows: number }) {
  const frame = useRef<HTMLDivElement>(null)
  const linkButton = useRef<HTMLButtonElement>(null)
  const begun = useRef<Begun>({ first: text.value, marked: null, isFocused: false, scrolledTo: 0 })
  const early = useRef(new Set<Tool>())
  const [tools, setTools] = useState<Tools | null>(null)
  const [isUsed, setIsUsed] = useState(false)
  const [isPressed, setIsPressed] = useState(false)
  const [isComposing, setIsComposing] = useState(false)
  const [refused, setRefused] = useState(false)
  const { Editor, failed, bring } = useEditor(frame)
  const release = (): void => setIsPressed(false)
  const toText = (): void => frame.current?.querySelector<HTMLElement>('[role="textbox"]')?.focus()
  const use = (): void => {
    if (Editor) return
    setIsUsed(true)
    bring()
  }
  const press = (tool: Tool): void => {
    if (tools) return tools.press(tool)
    early.current.add(tool)
    if (!frame.current?.contains(document.activeElement)) toText()
  }
  const take = (next: Tools): void => {
    setTools(next)
    for (const tool of early.current) next.press(tool)
    early.current.clear()
  }
  /** Refuses images; text that comes with them is taken. True when nothing else is left to take. */
  const refuseImages = (data: DataTransfer | null): boolean => {
    setRefused(bringsImage(data))
    return bringsImage(data) && !data?.getData('text/plain')
  }
  return (
    <div
      ref={(element) => {
        frame.current = element
        element?.style.setProperty('--rows', String(rows))
      }}
      className={styles.editor}
      data-invalid={text.invalid || undefined}
      // What failed is asked for again by a press alone.
      onPointerEnter={failed ? undefined : bring}
      onPointerDown={() => {
        use()
        setIsPressed(true)
      }}
      // A finger gives the focus after it has left the screen, by a click; what becomes no click ends as well.
      onClickCapture={release}
      onPointerCancel={release}
      onMouseLeave={release}
      onFocus={use}
      onBlur={() => setRefused(false)}
      // A press and a character that is being put together end in the place where they were begun. Else the press
      // gives the focus to what is gone, and what is typed then goes nowhere.
      onCompositionStart={() => setIsComposing(true)}
      onCompositionEnd={() => setIsComposing(false)}
    >
      <Toolbar
        on={tools?.on ?? NO_TOOLS}
        isLinking={tools?.isLinking ?? false}
        onPress={press}
        linkButton={linkButton}
      />
      {Editor && (tools || !(isPressed || isComposing)) ? (
        <Editor {...text} begun={begun} linkButton={linkButton} onTools={take} refuseImages={refuseImages} />
      ) : (
        <RichTextPlace
          {...text}
          refuseImages={refuseImages}
          onBegun={(next) => {
            begun.current = next
          }}
        />
      )}
      <div role="alert">
        {refused && (
          <p className={styles.refused}>
            Pictures cannot be put into this text; add them in the Gallery tab.
          </p>
        )}
        {failed && isUsed && !Editor && (
          <p className={styles.failed}>
            The text tools could not be fetched. What you type is kept.
            {isGone(failed.error) ? (
              <Button onClick={loadAgain}>{reload}</Button>
            ) : (
              <Button onClick={toText}>{tryAgain}</Button>
            )}
          </p>
        )}
      </div>
    </div>
  )
}

const load = () => import('./editor/editor.tsx')
type EditorPart = Awaited<ReturnType<typeof load>>['default']

/** The editor, once it has come. */
let come: EditorPart | null = null

/**
 * The editor is heavy and only this one field needs it: a chunk of its own, which comes when the page is idle with the field
 * in view or nearly so, or when `bring` is called.
 */
function useEditor(field: RefObject<HTMLElement | null>) {
  const [Editor, setEditor] = useState<EditorPart | null>(() => come)
  const [failed, setFailed] = useState<{ error: unknown } | null>(null)
  const bring = (): void => {
    load().then(
      (part) => {
        come = part.default
        setEditor(() => part.default)
      },
      (error: unknown) => setFailed({ error }),
    )
  }
  useEffect(() => {
    if (!field.current || come) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        observer.disconnect()
        whenIdle(bring)
      },
      { root: field.current.closest('[data-scrolls]'), rootMargin: '50%' },
    )
    observer.observe(field.current)
    return () => observer.disconnect()
  }, [field])
  return { Editor, failed, bring }
}
