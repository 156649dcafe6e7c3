import { setTimeout as pause } from 'node:timers/promises'

/** The answer to an upload, in what tests want of it (interface). */
export interface Uploaded {
  readonly imageUrl: string
  readonly width: number
  readonly height: number
}

/**
 * Uploads a picture as the dashboard does. Where several processes make the site a busy one may take it (202) some time
 * before it can show it: then it is sent again, the same picture, until it is shown.
 * @param cookie the owner's
 * @throws when it is not taken
 */
export const upload = async (
  site: { readonly url: string },
  cookie: string,
  picture: Blob,
  name = 'picture.jpg',
): Promise<Uploaded> => {
  for (let isTaken = false; ; await pause(100)) {
    const body = new FormData()
    body.append('image', picture, name)
    const answer = await fetch(`${site.url}/api/upload/image`, { method: 'POST', headers: { cookie }, body })
    const said = await answer.text()
    if (answer.status === 201) return JSON.parse(said) as Uploaded
    isTaken ||= answer.status === 202
    if (!isTaken || (answer.status !== 202 && answer.status !== 404))
      throw new Error(`The upload was answered ${answer.status}: ${said}`)
  }
}
