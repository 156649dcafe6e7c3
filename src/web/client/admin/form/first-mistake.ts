/** What is wrong with a form's values; a file that was refused earlier is marked too, but may be none of it. */
const MISTAKE = '[aria-invalid="true"]:not([data-refused])'

/** Puts the first mistake of a form into view and the focus into it. Nothing where there is none. */
export function focusFirstMistake(form: HTMLElement | null): void {
  const mistake = form?.querySelector<HTMLElement>(MISTAKE)
  mistake?.focus()
  mistake?.scrollIntoView({ block: 'center' })
}
