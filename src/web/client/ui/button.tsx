import type { ComponentProps } from 'react'
import styles from './button.module.css'
import { classNames } from './class-names.ts'

/**
 * `ordinary` is ink on paper, `primary` filled ink, `pay` the only filled accent (once per screen), `plain`
 * has no edge, `loss` is the red one of confirm dialogs, `danger` is plain until one points at it.
 */
type ButtonLook = 'ordinary' | 'primary' | 'pay' | 'plain' | 'loss' | 'danger'

const LOOKS: Record<ButtonLook, string | undefined> = {
  ordinary: undefined,
  primary: styles.primary,
  pay: styles.pay,
  plain: styles.plain,
  loss: styles.loss,
  danger: classNames(styles.plain, styles.danger),
}

type Shape = {
  look?: ButtonLook
  /** square, for a lone icon; give it an `aria-label` */
  only?: boolean
}

/** Class names of a button for an element that is none, such as a link. */
export function buttonClass({ look = 'ordinary', only = false }: Shape = {}, className?: string): string {
  return classNames(styles.button, LOOKS[look], only && styles.only, className)
}

type ButtonProps = ComponentProps<'button'> & Shape & { busy?: boolean }

/** A button; `busy` shows the turning ring and tells assistive technology, without taking the focus away. */
export function Button({ look = 'ordinary', only = false, busy = false, className, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      className={buttonClass({ look, only }, className)}
    />
  )
}

/** A link that looks like a button. */
export function ButtonLink({
  look = 'ordinary',
  only = false,
  className,
  children,
  ...rest
}: ComponentProps<'a'> & Shape) {
  return (
    <a {...rest} className={buttonClass({ look, only }, className)}>
      {children}
    </a>
  )
}
