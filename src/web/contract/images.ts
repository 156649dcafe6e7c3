import { z } from 'zod'
import { defineCalls } from './call.ts'
import { errorBody } from './errors.ts'
import { imageMegabytes } from './limits.ts'

/** The one field of the upload's multipart body. */
export const uploadField = 'image'

/** An upload's answer; width and height are those of the upright image. */
export const uploadedImage = z.strictObject({
  imageUrl: z.string(),
  width: z.int(),
  height: z.int(),
  placeholder: z.string(),
})
export type UploadedImage = z.output<typeof uploadedImage>

export const imageCalls = defineCalls('images', {
  uploadImage: {
    summary: `Stores a JPEG or PNG of at most ${imageMegabytes} MiB`,
    consumes: 'multipart',
    answers: { 201: uploadedImage, 507: errorBody },
  },
})
