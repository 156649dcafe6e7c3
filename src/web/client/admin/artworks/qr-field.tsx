import { useId } from 'react'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ADMIN_WORDS, TOASTS } from '../admin-constants.ts'
import { FileInput } from '../form/image-drop.tsx'
import { TextField } from '../form/text-fields.tsx'
import { useUpload } from '../lib/upload.ts'
import styles from './qr-field.module.css'

type QrFieldProps = {
  name: string
  label: string
  value: string
  onChange: (qrCodeUrl: string) => void
  error: string | undefined
}

/** A payment code of her own, e.g. one that her bank gave her, instead of the one the site makes. */
export function QrField({ name, label, value, onChange, error }: QrFieldProps) {
  const id = useId()
  const upload = useUpload({ success: TOASTS.imageUploaded, failure: TOASTS.uploadFailed })
  const { state } = upload
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
        <label className={buttonClass({})} htmlFor={id} aria-busy={state.status === 'uploading'}>
          <FileInput
            id={id}
            onFiles={([file]) => {
              if (file) void upload.start(file).then((image) => image && onChange(image.imageUrl))
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
