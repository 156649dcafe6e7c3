/**
 * What several rooms of the dashboard say and are held to, the toasts of the specification word for word among
 * it; each room keeps its own words. Apart from `lib/constants.ts`, so that visitors never download them.
 */
import type { ToastText } from '../lib/constants.ts'

/** Delays of hers, in milliseconds. */
export const OWNER_DELAYS = {
  loginRefresh: 100,
  loginOpenAdmin: 200,
  unauthorizedRedirect: 500,
  /** until a session that seems to have ended is asked for once more */
  endedSession: 500,
  adminAutoClose: 1_000,
  editorHistoryGroup: 1_000,
} as const

export const EDITOR_HISTORY_DEPTH = 100
export const EDITOR_INDENT_LEVELS = { min: 1, max: 8 } as const
export const UPLOAD_IMAGE_TYPES = ['image/jpeg', 'image/png'] as const
export const RICH_TEXT_SCHEMES = ['http', 'https', 'mailto', 'tel'] as const

/** A success: title "Success", the catalogue's text below it. */
export function successToast(description: string): ToastText {
  return { title: 'Success', description }
}

/** A failure: title "Error" unless the catalogue gives one. */
export function failureToast(description: string, title = 'Error'): ToastText {
  return { title, description, destructive: true }
}

/** The toasts. */
export const TOASTS = {
  loginSucceeded: { title: 'Login Successful', description: 'Welcome to the admin panel.' },
  loginFailed: { title: 'Login Failed', description: 'Invalid username or password', destructive: true },
  authenticationRequired: {
    title: 'Authentication Required',
    description: 'Please log in to access the admin panel.',
    destructive: true,
  },
  unauthorized: {
    title: 'Unauthorized',
    description: 'You are logged out. Logging in again...',
    destructive: true,
  },
  imageUploaded: successToast('Image uploaded successfully.'),
  profileUploaded: successToast('Profile picture uploaded successfully.'),
  contentSaved: successToast('Site content updated successfully.'),
  artworkUpdated: successToast('Artwork updated successfully.'),
  artworkAdded: successToast('Artwork added successfully.'),
  visibilityUpdated: successToast('Artwork visibility updated.'),
  artworkDeleted: successToast('Artwork deleted successfully.'),
  blogSynced: successToast('Blog posts synced successfully.'),
  messageRead: successToast('Message marked as read.'),
  messageDeleted: successToast('Message deleted successfully.'),

  uploadFailed: failureToast('Failed to upload image.'),
  profileUploadFailed: failureToast('Failed to upload profile picture.'),
  contentFailed: failureToast('Failed to update content. Please try again.'),
  artworkUpdateFailed: failureToast('Failed to update artwork.'),
  artworkAddFailed: failureToast('Failed to add artwork.'),
  visibilityFailed: failureToast('Failed to update artwork visibility.'),
  artworkDeleteFailed: failureToast('Failed to delete artwork.'),
  blogSyncFailed: failureToast('Failed to sync blog posts. Please try again.'),
  messageUpdateFailed: failureToast('Failed to update message. Please try again.'),
  messageDeleteFailed: failureToast('Failed to delete message. Please try again.'),
  messagesUnauthorized: failureToast('Authentication expired. Please log in again.'),
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
  emptyValue: 'empty',
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
