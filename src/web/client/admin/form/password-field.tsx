import { type ComponentProps, useEffect, useId, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Quiet } from '../../ui/quiet.tsx'
import styles from './password-field.module.css'
import { TextField } from './text-fields.tsx'

type PasswordFieldProps = Omit<ComponentProps<typeof TextField>, 'type' | 'inputRef'>

/** A password, which can be shown while it is typed. Sent, it is hidden again, so that the browser offers to keep it. */
export function PasswordField(props: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  useEffect(() => {
    const form = input.current?.form
    const hide = (): void => setShown(false)
    form?.addEventListener('submit', hide)
    return () => form?.removeEventListener('submit', hide)
  }, [])
  return (
    <div className={styles.place} id={id}>
      <TextField
        {...props}
        autoCapitalize="none"
        spellCheck={false}
        type={shown ? 'text' : 'password'}
        inputRef={input}
      />
      <Button look="plain" className={styles.show} aria-controls={id} onClick={() => setShown(!shown)}>
        {shown ? 'Hide' : 'Show'}
        <Quiet> {props.label}</Quiet>
      </Button>
    </div>
  )
}
