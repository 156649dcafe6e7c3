/**
 * What several rooms of the dashboard say and are held to; each room keeps its own words (ADR 45). Apart from
 * `lib/constants.ts`, so that visitors never download them.
 */
import type { ToastText } from '../lib/constants.ts'

export const UPLOAD_IMAGE_TYPES = ['image/jpeg', 'image/png'] as const

/** A success: title "Success", the catalogue's text below it. */
export function successToast(description: string): ToastText {
  return { title: 'Success', description }
}

/** A failure: title "Error" unless the catalogue gives one. */
export function failureToast(description: string, title = 'Error'): ToastText {
  return { title, description, destructive: true }
}

export const TOASTS = {
  imageUploaded: successToast('Image uploaded successfully.'),
  artworkUpdated: successToast('Artwork updated successfully.'),
  uploadFailed: failureToast('Failed to upload image.'),
  artworkUpdateFailed: failureToast('Failed to update artwork.'),
  artworkAddFailed: failureToast('Failed to add artwork.'),
} as const

/** Words of fields, dialogs and notices that every tab uses. */
export const ADMIN_WORDS = {
  title: 'Admin Dashboard',
  cancel: 'Cancel',
  edit: 'Edit',
  delete: 'Delete',
  retry: 'Retry',
  adding: 'Adding...',
  saving: 'Saving...',
  discard: 'Discard',
  loggedOut: 'You are logged out.',
  uploading: 'Uploading...',
} as const

/** The five tabs in their order. */
export const TABS = [
  { id: 'content', label: 'Content', icon: 'content' },
  { id: 'gallery', label: 'Gallery', icon: 'frame' },
  { id: 'categories', label: 'Categories', icon: 'tag' },
  { id: 'blog', label: 'Blog', icon: 'book' },
  { id: 'messages', label: 'Messages', icon: 'mail' },
] as const

export type TabId = (typeof TABS)[number]['id']

export const UNDONE = successToast('Undone.')
