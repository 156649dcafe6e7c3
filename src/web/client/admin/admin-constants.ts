/**
 * What several rooms of the dashboard say and are held to, the toasts of the specification word for word among
 * it; each room keeps its own words. Apart from `lib/constants.ts`, so that visitors never download them.
 */
import { imageMegabytes } from '#web/contract/limits.ts'
import type { ToastText } from '../lib/constants.ts'

/** Limits and defaults that only her forms need. */
export const OWNER_LIMITS = {
  listDefaultSortOrder: 0,
  artworkDefaultPrice: 0,
} as const

/** Delays of hers, in milliseconds. */
export const OWNER_DELAYS = {
  loginRefresh: 100,
  loginOpenAdmin: 200,
  unauthorizedRedirect: 500,
  adminAutoClose: 1_000,
  editorHistoryGroup: 1_000,
} as const

/** A success: title "Success", the catalogue's text below it. */
export function success(description: string): ToastText {
  return { title: 'Success', description }
}

/** A failure: title "Error" unless the catalogue gives one. */
export function failure(description: string, title = 'Error'): ToastText {
  return { title, description, destructive: true }
}

/** The toasts; the public ones (login, session) stand in `lib/constants.ts`. */
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
  imageUploaded: success('Image uploaded successfully.'),
  profileUploaded: success('Profile picture uploaded successfully.'),
  contentSaved: success('Site content updated successfully.'),
  artworkUpdated: success('Artwork updated successfully.'),
  artworkAdded: success('Artwork added successfully.'),
  visibilityUpdated: success('Artwork visibility updated.'),
  artworkDeleted: success('Artwork deleted successfully.'),
  blogSynced: success('Blog posts synced successfully.'),
  messageRead: success('Message marked as read.'),
  messageDeleted: success('Message deleted successfully.'),

  uploadFailed: failure('Failed to upload image.'),
  profileUploadFailed: failure('Failed to upload profile picture.'),
  contentFailed: failure('Failed to update content. Please try again.'),
  artworkUpdateFailed: failure('Failed to update artwork.'),
  artworkAddFailed: failure('Failed to add artwork.'),
  visibilityFailed: failure('Failed to update artwork visibility.'),
  artworkDeleteFailed: failure('Failed to delete artwork.'),
  blogSyncFailed: failure('Failed to sync blog posts. Please try again.'),
  messageUpdateFailed: failure('Failed to update message. Please try again.'),
  messageDeleteFailed: failure('Failed to delete message. Please try again.'),
  messagesUnauthorized: failure('Authentication expired. Please log in again.'),
} as const

/** Title of a refused upload; its description is the server's own sentence. */
export const UPLOAD_FAILED_TITLE = 'Upload Failed'
export const UPLOAD_FAILED_DEFAULT = 'Upload failed'

/** The two alerts of the uploader; shown at the field and as a toast. */
export const UPLOAD_ALERTS = {
  type: 'Please select a valid image file',
  heic: 'This is a HEIC picture, as iPhones keep them; browsers cannot show it. To make a JPEG of it: on the iPhone share it from Photos, press Options, choose “Most Compatible” and save it to Files; on a Mac open it in Preview and choose File, Export. For new photos: Settings, Camera, Formats, “Most Compatible”.',
  size: `File size must be less than ${imageMegabytes}MB`,
} as const

/** Words of fields, dialogs and notices that every tab uses. */
export const ADMIN_WORDS = {
  title: 'Admin Dashboard',
  close: 'Close',
  cancel: 'Cancel',
  edit: 'Edit',
  delete: 'Delete',
  retry: 'Retry',
  saveChanges: 'Save Changes',
  saving: 'Saving...',
  discard: 'Discard',
  discarded: 'Discarded. What you typed is kept as a draft.',
  forget: 'Forget it',
  bringBack: 'Bring it back',
  restore: 'Restore',
  show: 'Show',
  hide: 'Hide',
  keepMine: 'Keep mine',
  takeSaved: 'Take the saved one',
  yours: 'Yours',
  savedNow: 'Saved now',
  emptyValue: 'empty',
  conflict: 'This was changed meanwhile, in another tab or on another device.',
  conflictElsewhere: 'Something else was changed here meanwhile. Save again to add your changes to it.',
  unsavedTitle: 'Unsaved changes',
  unsavedText: 'Your changes are not saved yet. Leave and discard them?',
  keepEditing: 'Keep editing',
  discardChanges: 'Discard changes',
  listFailed: 'This could not be loaded.',
  listFailedHint: 'Perhaps the connection was lost.',
  loggedOut: 'You are logged out.',
  loggedOutHint: 'Log in again to go on; what you typed is kept.',
  logIn: 'Log in again',
  panelFailedHint: 'The other tabs still work, and what you typed is kept.',
  loading: 'Loading...',
  offline: 'The site cannot be reached. Check the connection and try again; what you typed stays here.',
  uploading: 'Uploading...',
  required: 'required',
} as const

/** "A draft from yesterday, 21:14, was not saved."; with a title "A draft of “Kajal” from …". */
export function draftOffer(when: string, of: string | null = null): string {
  return of === null
    ? `A draft from ${when} was not saved.`
    : `A draft of “${of}” from ${when} was not saved.`
}

/** "1 unsaved change", "3 unsaved changes". */
export function unsavedChanges(count: number): string {
  return count === 1 ? '1 unsaved change' : `${count} unsaved changes`
}

/** The five tabs in their order. */
export const TABS = [
  { id: 'content', label: 'Content', icon: 'content' },
  { id: 'gallery', label: 'Gallery', icon: 'frame' },
  { id: 'categories', label: 'Categories', icon: 'tag' },
  { id: 'blog', label: 'Blog', icon: 'book' },
  { id: 'messages', label: 'Messages', icon: 'mail' },
] as const

export type TabId = (typeof TABS)[number]['id']

export const ACTIVITY_WORDS = {
  title: 'Activity',
  of: (title: string) => `Activity of ${title}`,
  filter: 'Only of one work',
  allArtworks: 'All activity',
  empty: 'Nothing has happened yet.',
  more: 'Show more',
  undo: 'Undo',
  undone: success('Undone.'),
  undoFailed: failure('This could not be undone.'),
} as const
