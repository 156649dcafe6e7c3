import { useId, useRef } from 'react'
import { flushSync } from 'react-dom'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ADMIN_WORDS, TOASTS } from '../admin-constants.ts'
import { FileInput } from '../form/image-drop.tsx'
import { TextField } from '../form/text-fields.tsx'
import { useGuard } from '../lib/guard.tsx'
import { isUnsent, useUpload } from '../lib/upload.ts'
import { ARTWORK_SCOPE } from './use-artwork-form.ts'
import styles from './qr-field.module.css'

type QrFieldProps = {
  name: string
  label: string
  value: string
  onChange: (qrCodeUrl: string) => void
  error: string | undefined
  /** a picture is on its way; whether it comes */
  onSend: (sending: Promise<boolean>) => void
}

/** A payment code of her own, e.g. one that her bank gave her, instead of the one the site makes. */
export function QrField({ name, label, value, onChange, error, onSend }: QrFieldProps) {
  const id = useId()
  const upload = useUpload({ success: TOASTS.imageUploaded, failure: TOASTS.uploadFailed })
  const { state } = upload
  useGuard(ARTWORK_SCOPE, isUnsent(state), upload.clear)
  const again = state.status === 'failed' ? state.again : null
  const last = useRef<File>(null)
  const send = async (file: File): Promise<boolean> => {
    last.current = file
    const image = await upload.start(file)
    // In the form at once: who waits for it sends the form next.
    if (image) flushSync(() => onChange(image.imageUrl))
    // Where another one was chosen instead, that one tells.
    return image !== null || last.current !== file
  }
  return (
    <div className={styles.qr}>
      <TextField
        label={label}
        name={name}
        hint="Made by itself from your UPI settings. Give a picture only for a code from your bank."
        placeholder="https://"
        autoCapitalize="none"
        spellCheck={false}
        value={value}
        onChange={onChange}
        error={state.status === 'failed' ? state.alert : error}
      />
      {value !== '' && !value.startsWith('http:') && <img src={value} alt={label} />}
      <div className={styles.actions}>
        {again && <Button onClick={() => onSend(send(again))}>{ADMIN_WORDS.retry}</Button>}
        <label className={buttonClass({})} htmlFor={id} aria-busy={state.status === 'uploading'}>
          <FileInput
            id={id}
            onFiles={([file]) => {
              if (file) onSend(send(file))
            }}
          />
          {state.status === 'uploading'
            ? `${ADMIN_WORDS.uploading} ${Math.round(state.part * 100)} %`
            : 'Upload QR code'}
        </label>
        {value !== '' && (
          <Button look="plain" onClick={() => onChange('')}>
            Remove QR code
          </Button>
        )}
      </div>
    </div>
  )
}
