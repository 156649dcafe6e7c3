import { TEXT } from '../lib/constants.ts'

/** Any address that is none (specification §2), with a way home. Works without JavaScript. */
export function NotFoundPage() {
  return (
    <main>
      <h1>{TEXT.notFoundTitle}</h1>
      <p>{TEXT.notFoundHint}</p>
      <a href="/">{TEXT.notFoundHome}</a>
    </main>
  )
}
