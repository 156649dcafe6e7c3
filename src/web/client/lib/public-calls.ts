import { getSiteContent, listArtworks, listBlogPosts, listCategories } from '#web/contract/addresses.ts'
import { type AnswerOf, call } from './api.ts'

/** The calls that read the models of the public page. */
export const PUBLIC_CALLS = {
  'site-content': getSiteContent,
  artworks: listArtworks,
  categories: listCategories,
  'blog-posts': listBlogPosts,
} as const

/** The models of the public page by the segment of their address. */
export type PublicModels = {
  readonly [Model in keyof typeof PUBLIC_CALLS]: Readonly<AnswerOf<(typeof PUBLIC_CALLS)[Model]>>
}

export const readModel = <Model extends keyof PublicModels>(
  model: Model,
  options: { signal?: AbortSignal } = {},
): Promise<PublicModels[Model]> =>
  // The type above is made of these very answers.
  call(PUBLIC_CALLS[model], options) as Promise<PublicModels[Model]>
