import { useEffect } from 'react'
import { useDashboardParts } from '../shell/dashboard-parts.ts'
import type { ContentValues } from './content-values.ts'

/** Leads to the field that was asked for elsewhere in the dashboard, once the form stands. */
export function useShownField(): void {
  const { wish, settle } = useDashboardParts()
  useEffect(() => {
    if (wish?.kind !== 'field') return
    focusField(wish.field)
    settle()
  }, [wish, settle])
}

/** Puts a field of the content form into view and the focus into it. */
export function focusField(field: keyof ContentValues): void {
  const find = (what: string) => document.querySelector<HTMLElement>(`[data-dashboard] form ${what}`)
  const element =
    find(`[name="${field}"]`) ?? find(`[data-field="${field}"] :is([role="switch"], input:checked)`)
  element?.scrollIntoView({ block: 'center' })
  element?.focus({ preventScroll: true })
}
