import { useDeferredValue, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { ACTIVITY_WORDS } from '../admin-constants.ts'
import { SearchField } from '../form/search-field.tsx'
import { useArtworks } from '../lib/queries.ts'
import styles from './activity-dialog.module.css'

export type ChosenArtwork = { id: string; title: string }

type ArtworkFilterProps = { chosen: ChosenArtwork | null; onChoose: (artwork: ChosenArtwork | null) => void }

/** So many titles are offered while one types. */
const OFFERED = 6

/** Narrows the activity to one artwork: typing offers titles, one tap chooses. */
export function ArtworkFilter({ chosen, onChoose }: ArtworkFilterProps) {
  const { data: artworks = [] } = useArtworks()
  const [text, setText] = useState('')
  const search = useDeferredValue(text).trim().toLocaleLowerCase()
  if (chosen) {
    return (
      <p className={styles.chosen}>
        <strong>{ACTIVITY_WORDS.of(chosen.title)}</strong>
        <Button look="plain" onClick={() => onChoose(null)}>
          {ACTIVITY_WORDS.allArtworks}
        </Button>
      </p>
    )
  }
  const found =
    search === ''
      ? []
      : artworks.filter(({ title }) => title.toLocaleLowerCase().includes(search)).slice(0, OFFERED)
  return (
    <div className={styles.filter}>
      <SearchField label={ACTIVITY_WORDS.filter} value={text} onChange={setText} />
      {found.length > 0 && (
        <ul className={styles.found}>
          {found.map(({ id, title }) => (
            <li key={id}>
              <button
                type="button"
                onClick={() => {
                  setText('')
                  onChoose({ id, title })
                }}
              >
                {title}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
