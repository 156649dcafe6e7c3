import { Button } from '../../ui/button.tsx'
import { AdminIcon, type AdminIconName } from '../admin-icon.tsx'
import { ARRANGE, type MoveTo } from './moves.ts'
import styles from './arrange.module.css'

const MOVES: readonly { to: MoveTo; label: string; icon: AdminIconName }[] = [
  { to: 'first', label: 'Move to first', icon: 'first' },
  { to: 'up', label: 'Move up', icon: 'up' },
  { to: 'down', label: 'Move down', icon: 'down' },
  { to: 'last', label: 'Move to last', icon: 'last' },
]

type MoveButtonsProps = {
  /** what is moved, as people call it */
  name: string
  /** its place, from 1, and how many there are */
  place: number
  of: number
  className?: string | undefined
  onMove: (to: MoveTo) => void
}

/** Four buttons that move one thing within its list: what dragging does, for every other way of pressing. */
export function MoveButtons({ name, place, of, className, onMove }: MoveButtonsProps) {
  return MOVES.map(({ to, label, icon }) => (
    <Button
      key={to}
      look="plain"
      only
      className={className}
      data-action={`move-${to}`}
      aria-label={`${label}: ${name}`}
      aria-disabled={isAtEnd(to, place, of) || undefined}
      onClick={() => !isAtEnd(to, place, of) && onMove(to)}
    >
      <AdminIcon name={icon} />
    </Button>
  ))
}

function isAtEnd(to: MoveTo, place: number, of: number): boolean {
  return to === 'first' || to === 'up' ? place === 1 : place === of
}

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
      data-arrange
      aria-pressed={arranging}
      aria-label={of === undefined ? undefined : `${ARRANGE} ${of}`}
      onClick={() => onArrange(!arranging)}
    >
      <AdminIcon name="arrange" />
      {ARRANGE}
    </Button>
  )
}
