import { classNames } from './class-names.ts'
import styles from './skeleton.module.css'

/** A line of text that is still to come. */
export function SkeletonBar({ length }: { length: 'short' | 'half' | 'long' }) {
  return <span className={classNames(styles.breathing, styles.bar, styles[length])} />
}

/** Class of a box, such as an image's place, that is still to come. */
export const skeletonBox = classNames(styles.breathing, styles.box)
