import type { Editor } from '@tiptap/core'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { isComposing } from '../../../ui/composing.ts'
import { ADMIN_WORDS } from '../../admin-constants.ts'
import control from '../../../ui/control.module.css'
import field from '../rich-text-field.module.css'
import styles from './editor.module.css'

type LinkRowProps = {
  editor: Editor
  /** given up: the focus goes back to its button */
  onClose: () => void
  /** applied or removed: the focus is in the text again */
  onDone: () => void
}

/** The address of a link, below the toolbar. No form of its own: it stands inside the one that is saved. */
export function LinkRow({ editor, onClose, onDone }: LinkRowProps) {
  const [before] = useState(() => String(editor.getAttributes('link')['href'] ?? ''))
  const [address, setAddress] = useState(before)
  const [refused, setRefused] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const problemId = useId()
  useEffect(() => input.current?.focus(), [])

  const apply = (): void => {
    const href = linkFrom(address)
    if (href === null) {
      setRefused(true)
      input.current?.focus()
      return
    }
    const chain = editor.chain().focus()
    if (editor.state.selection.empty && before === '') {
      chain
        .insertContent({ type: 'text', text: address.trim(), marks: [{ type: 'link', attrs: { href } }] })
        .run()
    } else chain.extendMarkRange('link').setLink({ href }).run()
    onDone()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event.nativeEvent)) return
    if (event.key === 'Enter') {
      event.preventDefault()
      apply()
    } else if (event.key === 'Escape') {
      event.preventDefault()
      onClose()
    }
  }
  return (
    <div className={styles.linkRow} data-keeps-escape>
      <input
        ref={input}
        type="text"
        inputMode="url"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="https://"
        className={control.control}
        aria-label="Link address"
        aria-invalid={refused || undefined}
        aria-describedby={refused ? problemId : undefined}
        value={address}
        onChange={({ target }) => {
          setAddress(target.value)
          setRefused(false)
        }}
        onKeyDown={onKeyDown}
      />
      <Button onClick={apply}>Apply</Button>
      {before !== '' && (
        <Button
          look="plain"
          onClick={() => {
            editor.chain().focus().extendMarkRange('link').unsetLink().run()
            onDone()
          }}
        >
          Remove link
        </Button>
      )}
      <Button look="plain" onClick={onClose}>
        {ADMIN_WORDS.cancel}
      </Button>
      <div role="alert">
        {refused && (
          <p id={problemId} className={field.refused}>
            Use an address that begins with http://, https://, mailto: or tel:
          </p>
        )}
      </div>
    </div>
  )
}

const SCHEME = /^([a-z][a-z0-9+.-]*):/i
const EMAIL = /^[^\s@/]+@[^\s@/]+\.[^\s@/]+$/
const PHONE = /^\+?[\d\s()-]{6,}$/
const HOST = /^[^\s/:]+\.[^\s/:.]{2,}(?:[/:?#]\S*)?$/

/** Whether a link may lead there: http, https, mailto or tel, nothing else. */
export function isAllowedLink(address: string): boolean {
  const scheme = SCHEME.exec(address.trim())?.[1]?.toLowerCase()
  return scheme !== undefined && ['http', 'https', 'mailto', 'tel'].includes(scheme)
}

/**
 * The address that was meant: an e-mail address, a telephone number and a host get their scheme. Null when no
 * link may lead there.
 */
export function linkFrom(typed: string): string | null {
  const text = typed.trim()
  if (isAllowedLink(text)) return text
  if (EMAIL.test(text)) return `mailto:${text}`
  if (PHONE.test(text)) return `tel:${text.replace(/[^\d+]/g, '')}`
  // A colon in front of a port is no scheme.
  if (HOST.test(text) && !/^[a-z]+:(?!\d)/i.test(text)) return `https://${text}`
  return null
}
