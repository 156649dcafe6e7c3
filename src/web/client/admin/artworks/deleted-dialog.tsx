import { restoreArtwork } from '#web/contract/addresses.ts'
import type { Artwork } from '#web/contract/artworks.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { AdminIcon } from '../admin-icon.tsx'
import { EmptyState, ListState } from '../form/list-state.tsx'
import { whenInWords, useNow } from '../lib/in-words.ts'
import { useDeletedArtworks } from '../lib/queries.ts'
import { useSave } from '../lib/save.ts'
import { ARTWORK_TOASTS, ARTWORK_WORDS } from './artworks-words.ts'
import { Thumb } from './thumb.tsx'
import styles from './deleted-dialog.module.css'

type DeletedDialogProps = { onClose: () => void; returnFocus: () => HTMLElement | null }

/** Recently deleted artworks with their images; each can come back. */
export function DeletedDialog({ onClose, returnFocus }: DeletedDialogProps) {
  const query = useDeletedArtworks()
  return (
    <Dialog open title={ARTWORK_WORDS.deleted} onClose={onClose} returnFocus={returnFocus} closeOnOutside>
      <ListState query={query}>
        {({ pages }) =>
          pages[0]?.length === 0 ? (
            <EmptyState text="Nothing has been deleted." />
          ) : (
            <ul>
              {pages.flat().map((artwork) => (
                <DeletedArtwork key={artwork.id} artwork={artwork} />
              ))}
            </ul>
          )
        }
      </ListState>
      {query.hasNextPage && (
        <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Show more
        </Button>
      )}
    </Dialog>
  )
}

function DeletedArtwork({ artwork }: { artwork: Artwork }) {
  const now = useNow()
  const { save, pending } = useSave(restoreArtwork, ARTWORK_TOASTS.restored)
  return (
    <li className={styles.artwork}>
      <span className={styles.image}>
        <Thumb artwork={artwork} sizes="4.5rem" />
      </span>
      <div>
        <cite>{artwork.title}</cite>
        <p>Deleted {whenInWords(artwork.updatedAt, now)}</p>
      </div>
      <Button
        busy={pending}
        data-of={artwork.id}
        aria-label={`${ARTWORK_WORDS.restore} ${artwork.title}`}
        onClick={() => !pending && void save({ params: { id: artwork.id } })}
      >
        {!pending && <AdminIcon name="undo" />}
        {pending ? 'Restoring...' : ARTWORK_WORDS.restore}
      </Button>
    </li>
  )
}
