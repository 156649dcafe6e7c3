import { useState } from 'react'
import { flushSync } from 'react-dom'
import * as FALLBACK from '../../lib/fallback.ts'
import { imageMegabytes } from '#web/contract/limits.ts'
import { Button } from '../../ui/button.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Field } from '../form/field.tsx'
import control from '../../ui/control.module.css'
import { ImageDrop } from '../form/image-drop.tsx'
import type { Upload } from '../lib/upload.ts'
import styles from './profile-field.module.css'

const PREVIEW = 'Profile picture'
const ADDRESS = 'Image URL'

type Mode = 'file' | 'url'

const MODES: readonly { value: Mode; label: string }[] = [
  { value: 'file', label: 'Upload File' },
  { value: 'url', label: ADDRESS },
]

type ProfileFieldProps = {
  label: string
  value: string
  onChange: (profileImageUrl: string) => void
  upload: Upload
  error: string | undefined
}

/**
 * The profile image: a file or an address. Clearing the upload's preview empties the address and leads back
 * to it.
 */
export function ProfileField({ label, value, onChange, upload, error }: ProfileFieldProps) {
  const [mode, setMode] = useState<Mode>('url')
  const { state } = upload
  const hasFile = state.status === 'uploading' || state.status === 'done'
  const take = (file: File): void => {
    // In the form at once: a save that ends in that moment forgets what it sent, and not this.
    void upload.start(file).then((image) => image && flushSync(() => onChange(image.imageUrl)))
  }
  const clear = (): void => {
    upload.clear()
    onChange('')
    setMode('url')
  }
  const change = (next: Mode): void => {
    // An upload under way is given up with its field; a finished one stands in the address.
    if (next === 'url') upload.clear()
    setMode(next)
  }
  return (
    <Field
      group
      label={label}
      hint={`Images only, at most ${imageMegabytes} MB.`}
      error={mode === 'url' ? error : undefined}
    >
      {({ labelId, describedBy, invalid }) => (
        <div className={styles.profile} role="group" aria-labelledby={labelId} data-field="profileImageUrl">
          <RoundPreview key={value} address={value} />
          <div className={styles.choice}>
            <Segmented name={label} value={mode} options={MODES} onChange={change} />
            {mode === 'url' ? (
              <input
                type="text"
                inputMode="url"
                name="profileImageUrl"
                autoCapitalize="none"
                spellCheck={false}
                className={control.control}
                placeholder="https://"
                aria-label={ADDRESS}
                aria-describedby={describedBy}
                aria-invalid={invalid || undefined}
                value={value}
                onChange={({ target }) => onChange(target.value)}
              />
            ) : (
              <ImageDrop round upload={upload} onFile={take} error={error}>
                {hasFile && (
                  <Button look="plain" onClick={clear}>
                    Clear
                  </Button>
                )}
              </ImageDrop>
            )}
          </div>
        </div>
      )}
    </Field>
  )
}

/** As the page shows it: round. Addresses that the page could not load show the neutral image. */
function RoundPreview({ address }: { address: string }) {
  const [failed, setFailed] = useState(false)
  const isShown = !failed && (address.startsWith('/') || address.startsWith('https://'))
  return (
    <img
      className={styles.preview}
      src={isShown ? address : FALLBACK.profileImageUrl}
      alt={PREVIEW}
      width={88}
      height={88}
      onError={() => setFailed(true)}
    />
  )
}
