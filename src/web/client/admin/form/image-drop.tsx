import { type ComponentProps, type ReactNode, useEffect, useId, useState, type DragEvent } from 'react'
import { imageMegabytes } from '#web/contract/limits.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ADMIN_WORDS, UPLOAD_IMAGE_TYPES } from '../admin-constants.ts'
import { formatBytes } from '../lib/in-words.ts'
import { AdminIcon } from '../admin-icon.tsx'
import { useLatest } from '../lib/use-latest.ts'
import type { Upload } from '../lib/upload.ts'
import bar from './progress.module.css'
import field from './field.module.css'
import styles from './image-drop.module.css'

const PREVIEW = 'New picture'
const ACCEPTED = UPLOAD_IMAGE_TYPES.join(',')

type ImageDropProps = {
  /** the state that is shown: progress, the image, what went wrong */
  upload: Upload
  onFile: (file: File) => void
  /** the address of an image that was uploaded before and stands until another is chosen */
  shown?: string | null
  /** a wrong or missing image, said at the field */
  error?: string | undefined
  /** a round preview, as the site shows it */
  round?: boolean
  /** more buttons beside the camera */
  children?: ReactNode
}

/**
 * Takes one image: by choosing, dropping, or the phone's camera. Pasting is up to the
 * screen around it (`usePastedImage`), because an image is pasted wherever the focus is.
 */
export function ImageDrop({ upload, onFile, shown = null, error, round = false, children }: ImageDropProps) {
  const { state } = upload
  const [isOver, setIsOver] = useState(false)
  const problemId = useId()
  const file = state.status === 'uploading' || state.status === 'done' ? state.file : null
  const preview = (state.status === 'uploading' || state.status === 'done' ? state.preview : null) ?? shown
  const refused = state.status === 'failed' ? state.alert : null
  const help = state.status === 'failed' ? state.help : null
  const again = state.status === 'failed' ? state.again : null
  const isWrong = refused !== null || error !== undefined

  const take = (files: FileList | null): void => {
    const first = files?.[0]
    if (first) onFile(first)
  }
  const common = {
    'aria-describedby': isWrong ? problemId : undefined,
    'aria-invalid': isWrong ? true : undefined,
    // The form's values may be right all the same.
    'data-refused': isWrong && error === undefined ? true : undefined,
  } as const
  const chooseId = useId()
  const cameraId = useId()

  return (
    <div className={styles.place}>
      <label
        className={styles.drop}
        htmlFor={chooseId}
        data-over={isOver || undefined}
        data-round={round || undefined}
      >
        <FileInput {...common} id={chooseId} onFiles={take} onOver={setIsOver} />
        {preview ? (
          <>
            <img src={preview} alt={PREVIEW} />
            {file && (
              <small>
                {file.name}, {formatBytes(file.size)}
              </small>
            )}
            <span className={styles.another}>Choose another picture</span>
          </>
        ) : (
          <>
            <AdminIcon name="upload" />
            <strong>Choose a picture</strong>
            <small>
              <span className={styles.drag}>or drop it here. </span>
              {`PNG or JPG, at most ${imageMegabytes} MB`}
            </small>
          </>
        )}
      </label>
      {state.status === 'uploading' && (
        <div className={styles.progress}>
          <progress className={bar.progress} max={1} value={state.part} aria-label="Upload" />
          <span>
            {ADMIN_WORDS.uploading} {Math.round(state.part * 100)} %
          </span>
          <Button look="plain" aria-label="Cancel upload" onClick={upload.cancel}>
            {ADMIN_WORDS.cancel}
          </Button>
        </div>
      )}
      <div role="alert">
        {isWrong && (
          <div id={problemId}>
            {refused && <p className={field.error}>{refused}</p>}
            {help && <p className={styles.help}>{help}</p>}
            {error && <p className={field.error}>{error}</p>}
          </div>
        )}
      </div>
      <div className={styles.more}>
        {again && <Button onClick={() => onFile(again)}>{ADMIN_WORDS.retry}</Button>}
        <label className={buttonClass({ look: 'ordinary' }, styles.camera)} htmlFor={cameraId}>
          <FileInput {...common} id={cameraId} capture="environment" onFiles={take} />
          <AdminIcon name="camera" />
          Take a photo
        </label>
        {children}
      </div>
    </div>
  )
}

type FileInputProps = {
  onFiles: (files: FileList) => void
  /** files are held above it, or no longer */
  onOver?: (isOver: boolean) => void
  /** it is marked invalid for a file that was refused, not for what the form would send */
  'data-refused'?: true | undefined
} & Pick<ComponentProps<'input'>, 'id' | 'capture' | 'multiple' | 'aria-describedby' | 'aria-invalid'>

/** A file input that lies unseen over the whole label around it, so that it is pressed and dropped on. */
export function FileInput({ onFiles, onOver, ...input }: FileInputProps) {
  return (
    <input
      {...input}
      type="file"
      className={styles.input}
      accept={ACCEPTED}
      onChange={({ target }) => {
        if (target.files && target.files.length > 0) onFiles(target.files)
        // The same file may be chosen again, after a failure.
        target.value = ''
      }}
      onDragOver={(event) => {
        event.preventDefault()
        onOver?.(true)
      }}
      onDragLeave={() => onOver?.(false)}
      onDrop={(event) => {
        event.preventDefault()
        // The gallery behind takes files too.
        event.stopPropagation()
        onOver?.(false)
        if (event.dataTransfer.files.length > 0) onFiles(event.dataTransfer.files)
      }}
    />
  )
}

/**
 * Calls `onFile` with an image that is pasted anywhere on the page. Text is left alone, also
 * text that carries an image of itself along, as spreadsheets and word processors give it.
 */
export function usePastedImage(onFile: (file: File) => void): void {
  const latest = useLatest(onFile)
  useEffect(() => {
    const paste = (event: ClipboardEvent): void => {
      const data = event.clipboardData
      const file = [...(data?.files ?? [])].find(({ type }) => type.startsWith('image/'))
      if (!file || data?.types.includes('text/plain')) return
      event.preventDefault()
      latest.current(file)
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [latest])
}

/** Files, and not over a dialog: React hands on what happens there, though it stands elsewhere in the document. */
const hasFiles = ({ dataTransfer, currentTarget, target }: DragEvent): boolean =>
  dataTransfer.types.includes('Files') && target instanceof Node && currentTarget.contains(target)

/**
 * Makes an element take files that are dropped on it, not on a dialog that it opened.
 * @returns its handlers, and whether files are held above it
 */
export function useFileDrop(onFiles: (files: readonly File[]) => void) {
  const [isOver, setIsOver] = useState(false)
  return {
    isOver,
    handlers: {
      onDragEnter: (event: DragEvent) => {
        if (hasFiles(event)) setIsOver(true)
      },
      onDragOver: (event: DragEvent) => {
        if (hasFiles(event)) event.preventDefault()
      },
      onDragLeave: (event: DragEvent) => {
        const { relatedTarget, currentTarget } = event
        if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)) setIsOver(false)
      },
      onDrop: (event: DragEvent) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setIsOver(false)
        onFiles([...event.dataTransfer.files])
      },
    },
  }
}
