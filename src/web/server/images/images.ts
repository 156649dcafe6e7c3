import { keptImage, takeImage } from '#application/images/take-image.ts'
import { imageUrlOf } from '#web/contract/artwork-address.ts'
import type { UploadedImage } from '#web/contract/images.ts'
import type { WebDeps } from '../deps.ts'
import type { ModuleRoutes } from '../call/route.ts'

export const imageRoutes = (deps: Pick<WebDeps, 'app'>): ModuleRoutes<'images'> => {
  const { app } = deps
  return {
    uploadImage: {
      act: async ({ file, command }) => {
        if (file === null) throw new Error('The file of an upload is taken in before its route is asked')
        const taken = await takeImage(app, file.path, command)
        // What was uploaded before may be on its way to the read models still.
        const visible =
          taken.position === null || (await app.readModels.shows(taken.position, ['ImageUploaded']))
        return { id: taken.hash, position: taken.position, visible }
      },
      reply: async (hash): Promise<UploadedImage | null> => {
        const kept = await keptImage(app, hash)
        if (kept === null) return null
        const { width, height, placeholder } = kept
        return { imageUrl: imageUrlOf(hash), width, height, placeholder }
      },
    },
  }
}
