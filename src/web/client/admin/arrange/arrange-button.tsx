import { Button } from '../../ui/button.tsx'
import { AdminIcon } from '../admin-icon.tsx'
import { ARRANGE_WORDS } from './arrange-words.ts'
import styles from './arrange.module.css'

type ArrangeButtonProps = {
  /** says which list, where the page has several */
  of?: string
  arranging: boolean
  onArrange: (arranging: boolean) => void
}

/** Switches a list between its everyday buttons and those that move what is in it. */
export function ArrangeButton({ of, arranging, onArrange }: ArrangeButtonProps) {
  return (
    <Button
      look="plain"
      className={styles.arrange}
      aria-pressed={arranging}
      aria-label={of === undefined ? undefined : `${ARRANGE_WORDS.arrange} ${of}`}
      onClick={() => onArrange(!arranging)}
    >
      <AdminIcon name="arrange" />
      {ARRANGE_WORDS.arrange}
    </Button>
  )
}
