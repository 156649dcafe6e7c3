import { useId } from 'react'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ADMIN_WORDS, TOASTS } from '../admin-constants.ts'
import { FileInput } from '../form/image-drop.tsx'
import { TextField } from '../form/text-fields.tsx'
import { useUpload } from '../lib/upload.ts'
import { GALLERY_WORDS } from './artworks-words.ts'
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
        hint={GALLERY_WORDS.fieldQrHint}
        placeholder="https://"
        autoCapitalize="none"
        spellCheck={false}
        value={value}
        onChange={onChange}
        error={state.status === 'failed' ? state.alert : error}
      />
      {value !== '' && !value.startsWith('http:') && <img src={value} alt={label} />}
      <div className={styles.actions}>
        <label
          className={buttonClass({}, styles.choose)}
          htmlFor={id}
          aria-busy={state.status === 'uploading'}
        >
          <FileInput
            id={id}
            onFiles={([file]) => {
              if (file) void upload.start(file).then((image) => image && onChange(image.imageUrl))
            }}
          />
          {state.status === 'uploading'
            ? `${ADMIN_WORDS.uploading} ${Math.round(state.part * 100)} %`
            : GALLERY_WORDS.fieldQrUpload}
        </label>
        {value !== '' && (
          <Button look="plain" onClick={() => onChange('')}>
            {GALLERY_WORDS.fieldQrRemove}
          </Button>
        )}
      </div>
    </div>
  )
}
