import { useId, useState } from 'react'
import { imageMegabytes } from '#web/contract/limits.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ADMIN_WORDS } from '../admin-constants.ts'
import { AdminIcon } from '../admin-icon.tsx'
import drop from '../form/image-drop.module.css'
import { FileInput } from '../form/image-drop.tsx'
import type { FoundDraft } from '../lib/drafts.ts'
import { useGuard, useLeave } from '../lib/guard.tsx'
import { useArtworks } from '../lib/queries.ts'
import { useOpening } from '../lib/use-opening.ts'
import type { Arrived } from './arrived.ts'
import { ARTWORK_WORDS } from './artworks-words.ts'
import { type BatchState, batchState, type BatchFile, useBatch } from './use-batch.ts'
import { usePublish } from './use-artwork-changes.ts'
import bar from '../form/progress.module.css'
import styles from './batch-dialog.module.css'

const SCOPE = 'batch'
const STILL_UPLOADING = {
  title: 'Still uploading',
  text: 'What has arrived is kept as drafts; the rest is not sent. Leave?',
  stay: 'Keep uploading',
  go: 'Leave',
}
const NOT_ALL_SENT = { ...STILL_UPLOADING, title: 'Not all are sent', stay: 'Stay' }

/** It can be tried again, and is perhaps nowhere else. */
const waitsForRetry = ({ state, isFinal }: BatchFile): boolean => state === 'failed' && !isFinal

type BatchDialogProps = {
  /** files that were dropped on the gallery; empty when the dialog was opened by its button */
  files: readonly File[]
  /** what an earlier visit left, and is wanted */
  arrived: FoundDraft<Arrived> | null
  onClose: () => void
  returnFocus: () => HTMLElement | null
}

/** Adds several images at once, each as an unpublished artwork, and shows how far each has come. */
export function BatchDialog({ files: dropped, arrived, onClose, returnFocus }: BatchDialogProps) {
  const { leave } = useLeave()
  const { data: artworks } = useArtworks()
  const { publish, pending } = usePublish()
  const { files, running, queue } = useBatch()
  const { take, bringBack, retry, stop } = queue
  useGuard(SCOPE, running || files.some(waitsForRetry), stop, running ? STILL_UPLOADING : NOT_ALL_SENT)
  useOpening(() => {
    if (arrived) bringBack(arrived)
    if (dropped.length > 0) take(dropped)
  })

  const close = (): void => leave(onClose, SCOPE)
  // What she has put on the website meanwhile, here or elsewhere, is published already.
  const unpublished = files.flatMap((file) =>
    batchState(file, artworks) === 'added' && file.id ? [{ id: file.id }] : [],
  )
  return (
    <Dialog
      open
      title="Add several artworks"
      onClose={close}
      returnFocus={returnFocus}
      footer={
        running ? (
          <Button onClick={stop}>Cancel the rest</Button>
        ) : (
          <>
            {unpublished.length > 0 && (
              <Button busy={pending} onClick={() => !pending && void publish(unpublished)}>
                {pending ? ARTWORK_WORDS.publishing : ARTWORK_WORDS.publishShown(unpublished.length)}
              </Button>
            )}
            <Button look={files.length > 0 ? 'primary' : 'plain'} onClick={close}>
              {files.length > 0 ? 'Done' : ADMIN_WORDS.cancel}
            </Button>
          </>
        )
      }
    >
      <p className={styles.hint}>
        Each picture becomes a draft: not on the website, price ₹0, its title from the file. Edit it and
        switch on “Show on website” when it is ready.
      </p>
      <SeveralDrop onFiles={take} />
      {files.length > 0 && (
        <ul>
          {files.map((file) => (
            <FileLine
              key={file.key}
              file={file}
              state={batchState(file, artworks)}
              called={artworks?.find(({ id }) => id === file.id)?.title ?? file.title}
              onRetry={() => retry(file.key)}
            />
          ))}
        </ul>
      )}
    </Dialog>
  )
}

function SeveralDrop({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const id = useId()
  const [isOver, setIsOver] = useState(false)
  return (
    <label className={drop.drop} htmlFor={id} data-low data-over={isOver || undefined}>
      <FileInput id={id} multiple onFiles={(files) => onFiles([...files])} onOver={setIsOver} />
      <AdminIcon name="several" />
      <strong>Choose pictures</strong>
      <small>
        <span className={drop.drag}>or drop them here. </span>
        {`PNG or JPG, at most ${imageMegabytes} MB each`}
      </small>
    </label>
  )
}

type FileLineProps = {
  file: BatchFile
  state: BatchState
  /** the artwork's name by now */
  called: string
  onRetry: () => void
}

function FileLine({ file, state, called, onRetry }: FileLineProps) {
  const { title, preview, part, help, reason } = file
  // Most browsers cannot show what is refused as a phone's own format.
  const [isShown, setIsShown] = useState(true)
  return (
    <li className={styles.file} data-state={state}>
      {isShown ? (
        <img src={preview} alt="" onError={() => setIsShown(false)} />
      ) : (
        <span className={styles.unshown} aria-hidden="true" />
      )}
      <div>
        <cite>{title}</cite>
        {state === 'uploading' && (
          <progress
            className={bar.progress}
            max={1}
            value={part}
            aria-label={`${ADMIN_WORDS.uploading} ${title}`}
          />
        )}
        <p>
          {state === 'there' && called !== title
            ? `There already, as “${called}”`
            : stateInWords(state, part, reason)}
        </p>
        {state === 'failed' && help && <p className={styles.help}>{help}</p>}
      </div>
      {waitsForRetry(file) && (
        <Button look="plain" aria-label={`${ADMIN_WORDS.retry} ${title}`} onClick={onRetry}>
          {ADMIN_WORDS.retry}
        </Button>
      )}
      {(state === 'added' || state === 'published') && <AdminIcon name="check" />}
    </li>
  )
}

function stateInWords(state: BatchState, part: number, reason: string | null): string {
  switch (state) {
    case 'waiting':
      return 'Waiting'
    case 'uploading':
      return `${ADMIN_WORDS.uploading} ${Math.round(part * 100)} %`
    case 'adding':
      return ADMIN_WORDS.adding
    case 'added':
      return 'Added as a draft'
    case 'there':
      return 'There already'
    case 'published':
      return 'On the website'
    case 'gone':
      return 'Taken back'
    case 'cancelled':
      return 'Cancelled'
    case 'failed':
      return reason ?? ''
  }
}
