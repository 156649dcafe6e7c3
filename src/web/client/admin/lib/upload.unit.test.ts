import { describe, expect, it, vi } from 'vitest'
import { ApiError } from '../../lib/api.ts'
import { TOASTS } from '../admin-constants.ts'
import { alertFor, problemOf, uploadFailureToast, uploadImage } from './upload.ts'

const MB = 1024 * 1024

describe('a file before it is sent', () => {
  it.each(['image/png', 'image/jpeg'])('passes as %s', (type) => {
    expect(alertFor({ type, size: 9 * MB })).toBeNull()
  })

  it.each(['image/gif', 'image/svg+xml', 'application/pdf', ''])('is refused as %j', (type) => {
    expect(alertFor({ type, size: 1 })).toBe('Please select a valid image file')
  })

  it('may have 25 MB', () => {
    expect(alertFor({ type: 'image/png', size: 25 * MB })).toBeNull()
    expect(alertFor({ type: 'image/png', size: 25 * MB + 1 })).toBe('File size must be less than 25MB')
  })
})

describe('what is in a file before it is sent', () => {
  const file = (bytes: string) => new File([bytes], 'IMG_0001.jpg', { type: 'image/jpeg' })

  it.each(['heic', 'heix', 'mif1'])(
    'refuses a picture of a phone that is called .jpg (%s)',
    async (brand) => {
      const problem = await problemOf(file(`\0\0\0\u0018ftyp${brand}\0\0\0\0`))
      expect(problem?.alert).toBe('Please select a valid image file')
      expect(problem?.help).toContain('HEIC')
    },
  )

  it('lets everything else that is called so be sent', async () => {
    expect(await problemOf(file('no picture'))).toBeNull()
  })

  it('refuses nothing at all', async () => {
    expect((await problemOf(file('')))?.alert).toBe('This file is empty')
  })
})

it("fails where a network's own page comes in the place of the answer", async () => {
  class Portal extends EventTarget {
    readonly upload = new EventTarget()
    readonly status = 200
    readonly responseText = '<html>Sign in to use this network</html>'
    open(): void {}
    setRequestHeader(): void {}
    send(): void {
      this.dispatchEvent(new Event('load'))
    }
  }
  vi.stubGlobal('XMLHttpRequest', Portal)
  await expect(uploadImage(new Blob(['a']))).rejects.toThrow(SyntaxError)
  vi.unstubAllGlobals()
})

describe('the toast of a failed upload', () => {
  it.each([
    ['the message field', '{"message":"Too many pixels"}', 'Too many pixels'],
    ['else the raw text', 'Bad gateway', 'Bad gateway'],
    ['and of a proxy’s page the status', '\n<html><title>502 Bad Gateway</title></html>', 'HTTP 502'],
    ['else the status', '', 'HTTP 502'],
  ])('says %s', (_, body, description) => {
    expect(uploadFailureToast(new ApiError(502, '', body), TOASTS.uploadFailed)).toEqual({
      title: 'Upload Failed',
      description,
      destructive: true,
    })
  })

  it("says the place's own words without an answer", () => {
    expect(uploadFailureToast(new TypeError('x'), TOASTS.uploadFailed).description).toBe(
      TOASTS.uploadFailed.description,
    )
  })
})
