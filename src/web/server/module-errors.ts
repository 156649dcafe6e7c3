import { TooManyAttempts } from '#application/accounts/sign-in.ts'
import { NotAnImage } from '#application/images/copy-image.ts'
import { ImageRefused, ImageWorkFailed } from '#application/ports/images.ts'
import { BlogFeedError } from '#application/ports/blog-feed.ts'
import { imageTooLarge } from '#web/contract/limits.ts'
import { answer, type ModuleErrors } from './door/errors.ts'

/** How long to wait when images cannot be worked on; nobody knows better. */
const workFailedMs = 5_000

/** What the gallery's own errors are answered with. */
export const moduleErrors: ModuleErrors = {
  answer: (error, upload) => {
    if (error instanceof TooManyAttempts)
      return answer(429, error.message, { retryAfterMs: error.retryAfterMs })
    if (error instanceof ImageRefused)
      return answer(error.status, error.message, upload ? { fields: { image: error.message } } : {})
    if (error instanceof NotAnImage) return answer(422, error.message)
    if (error instanceof ImageWorkFailed) {
      return answer(503, 'The picture could not be worked on just now. Please try again in a moment', {
        retryAfterMs: workFailedMs,
        unexpected: true,
      })
    }
    return error instanceof BlogFeedError ? answer(502, error.message) : null
  },
  isRefusal: (error) => error instanceof ImageRefused,
  uploadTooLarge: imageTooLarge,
}
