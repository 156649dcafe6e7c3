import { type ComponentType, lazy } from 'react'

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

/** Whatever could not be fetched is asked for once more when it is drawn next. */
export function askAgain(): void {
  for (const renew of failed) renew()
  failed.clear()
}
