import { type ComponentType, lazy } from 'react'
import { releaseGuards } from './guard.tsx'

const failed = new Set<() => void>()

/**
 * A component in a chunk of its own, fetched when it is first drawn. One that could not be fetched throws to the
 * boundary around it, until `askAgain`: a plain `lazy` would keep the failure for as long as the page stands.
 * @param load brings the chunk
 */
export function fetchedPart<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
): ComponentType<P> {
  const begin = () =>
    lazy(() =>
      load().catch((error: unknown) => {
        failed.add(renew)
        throw error
      }),
    )
  const renew = (): void => {
    Part = begin()
  }
  let Part: ComponentType<P> = begin()
  return function Fetched(props: P) {
    return <Part {...props} />
  }
}

/** Loads the page anew. What was typed waits as a draft: asking whether to leave would only stand in the way. */
export function loadAgain(): void {
  releaseGuards()
  location.reload()
}

/** Whatever could not be fetched is asked for once more when it is drawn next. */
export function askAgain(): void {
  for (const renew of failed) renew()
  failed.clear()
}
