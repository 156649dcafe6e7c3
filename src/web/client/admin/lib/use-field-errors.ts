import { useState } from 'react'
import { type Failure, fieldErrors } from './failure.ts'

/**
 * What the server said of a form's fields, by field path, of those that still hold what it judged: a field that was
 * put right must not stay red until the next save.
 * @param failure of `useSave`
 * @param values what the form holds now
 */
export function useFieldErrors(failure: Failure | null, values: object): Readonly<Record<string, string>> {
  const [judged, setJudged] = useState({ failure, values })
  if (judged.failure !== failure) setJudged({ failure, values })
  return Object.fromEntries(
    Object.entries(fieldErrors(failure)).filter(
      ([path]) => valueAt(values, path) === valueAt(judged.values, path),
    ),
  )
}

// A path of a field's message names one of the form's own keys, or none.
const valueAt = (values: object, path: string): unknown => (values as Record<string, unknown>)[path]
