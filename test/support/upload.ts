/** The answer to an upload, in what tests want of it (interface). */
export interface Uploaded {
  readonly imageUrl: string
  readonly width: number
  readonly height: number
}

/**
 * Uploads a picture as the dashboard does.
 * @param cookie the owner's
 * @throws when it is not taken at once
 */
export const upload = async (
  site: { readonly url: string },
  cookie: string,
  picture: Blob,
  name = 'picture.jpg',
): Promise<Uploaded> => {
  const body = new FormData()
  body.append('image', picture, name)
  const answer = await fetch(`${site.url}/api/upload/image`, { method: 'POST', headers: { cookie }, body })
  if (answer.status !== 201)
    throw new Error(`The upload was answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as Uploaded
}
