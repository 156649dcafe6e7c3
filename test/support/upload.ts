/** The answer to an upload, in what tests want of it. */
export interface Uploaded {
  readonly imageUrl: string
  readonly width: number
  readonly height: number
}

/** Uploads an image once, as the dashboard does. @param cookie the owner's */
export const uploadOnce = async (
  site: { readonly url: string },
  cookie: string,
  image: Blob,
  name = 'picture.jpg',
): Promise<{ readonly status: number; readonly text: string }> => {
  const body = new FormData()
  body.append('image', image, name)
  const answer = await fetch(`${site.url}/api/upload/image`, { method: 'POST', headers: { cookie }, body })
  return { status: answer.status, text: await answer.text() }
}

/**
 * Uploads an image.
 * @param cookie the owner's
 * @throws when it is not taken
 */
export const upload = async (
  site: { readonly url: string },
  cookie: string,
  image: Blob,
  name = 'picture.jpg',
): Promise<Uploaded> => {
  const { status, text } = await uploadOnce(site, cookie, image, name)
  if (status !== 201) throw new Error(`The upload was answered ${status}: ${text}`)
  return JSON.parse(text) as Uploaded
}
