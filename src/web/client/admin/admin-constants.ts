/**
 * Every text of the dashboard: the catalogue of the specification's section 8 word for word, and the words it
 * leaves open. Apart from `lib/constants.ts`, so that visitors never download them.
 */
import type { ToastText } from '../lib/constants.ts'

/** A success: title "Success", the catalogue's text below it (decisions 104). */
export function success(description: string): ToastText {
  return { title: 'Success', description }
}

/** A failure: title "Error" unless the catalogue gives one (decisions 104). */
export function failure(description: string, title = 'Error'): ToastText {
  return { title, description, destructive: true }
}

/** The toasts of section 8; the public ones (login, session) stand in `lib/constants.ts`. */
export const TOASTS = {
  imageUploaded: success('Image uploaded successfully.'),
  profileUploaded: success('Profile picture uploaded successfully.'),
  contentSaved: success('Site content updated successfully.'),
  artworkUpdated: success('Artwork updated successfully.'),
  artworkAdded: success('Artwork added successfully.'),
  visibilityUpdated: success('Artwork visibility updated.'),
  artworkDeleted: success('Artwork deleted successfully.'),
  categoryCreated: success('Category created successfully.'),
  categoryUpdated: success('Category updated successfully.'),
  categoryDeleted: success('Category deleted successfully.'),
  mediumCreated: success('Medium created successfully.'),
  mediumUpdated: success('Medium updated successfully.'),
  mediumDeleted: success('Medium deleted successfully.'),
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
  categoryCreateFailed: failure('Failed to create category'),
  categoryUpdateFailed: failure('Failed to update category'),
  categoryDeleteFailed: failure('Failed to delete category'),
  mediumCreateFailed: failure('Failed to create medium'),
  mediumUpdateFailed: failure('Failed to update medium'),
  mediumDeleteFailed: failure('Failed to delete medium'),
  blogSyncFailed: failure('Failed to sync blog posts. Please try again.'),
  messageUpdateFailed: failure('Failed to update message. Please try again.'),
  messageDeleteFailed: failure('Failed to delete message. Please try again.'),
  messagesUnauthorized: failure('Authentication expired. Please log in again.'),
} as const

/** Title of a refused upload; its description is the server's own sentence (specification §8). */
export const UPLOAD_FAILED_TITLE = 'Upload Failed'
export const UPLOAD_FAILED_DEFAULT = 'Upload failed'

/** The two alerts of the uploader (specification §5); shown at the field and as a toast (decisions 104). */
export const UPLOAD_ALERTS = {
  type: 'Please select a valid image file',
  size: (megabytes: number) => `File size must be less than ${megabytes}MB`,
} as const

/** Words of fields, dialogs and notices that every tab uses. */
export const ADMIN_WORDS = {
  title: 'Admin Dashboard',
  close: 'Close',
  closeDashboard: 'Close dashboard',
  cancel: 'Cancel',
  edit: 'Edit',
  delete: 'Delete',
  retry: 'Retry',
  saveChanges: 'Save Changes',
  saving: 'Saving...',
  discard: 'Discard',
  restore: 'Restore',
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

/** The five tabs in their order (specification §2). */
export const TABS = [
  { id: 'content', label: 'Content', icon: 'content' },
  { id: 'gallery', label: 'Gallery', icon: 'frame' },
  { id: 'categories', label: 'Categories', icon: 'tag' },
  { id: 'blog', label: 'Blog', icon: 'book' },
  { id: 'messages', label: 'Messages', icon: 'mail' },
] as const

export type TabId = (typeof TABS)[number]['id']

/** Words of the shell: header, banners, footer, login. */
export const SHELL_WORDS = {
  tabs: 'Dashboard',
  activity: 'Activity',
  account: 'Account',
  logOut: 'Log out',
  sections: 'sections',
  unread: 'unread',
  of: 'of',
  firstPassword: 'The password is still the first one. Please choose your own.',
  changePassword: 'Change password',
  samples: 'This site shows sample content, so that you can see how it looks. Your own works stay.',
  removeSamples: 'Remove sample content',
  removing: 'Removing...',
  samplesRemoved: success('Sample content removed.'),
  samplesFailed: failure('Failed to remove the sample content. Please try again.'),
  fewBytes: (free: string) => `Only ${free} are free on the server. Uploads will soon be refused.`,
  backupFailed: (reason: string) => `The last backup failed: ${reason}`,
  backupAt: (when: string) => `Last backup ${when}`,
  noBackup: 'No backup yet',
  free: (free: string) => `${free} free`,
  version: (version: string) => `Atelier ${version}`,
} as const

export const LOGIN_WORDS = {
  title: 'Admin Login',
  username: 'Username',
  password: 'Password',
  login: 'Login',
  loggingIn: 'Logging in...',
  offline:
    'The site cannot be reached, so your password could not be checked. Please look at the connection.',
  forgotten: 'Forgotten? Whoever runs the server can set a new password: atelier admin set-password',
} as const

export const TAXONOMY_WORDS = {
  title: 'Categories & Mediums',
  categories: 'Categories',
  mediums: 'Mediums',
  addCategory: 'Add Category',
  editCategory: 'Edit Category',
  updateCategory: 'Update Category',
  deleteCategory: 'Delete Category',
  addMedium: 'Add Medium',
  editMedium: 'Edit Medium',
  updateMedium: 'Update Medium',
  deleteMedium: 'Delete Medium',
  categoriesEmpty: 'No categories found. Add your first category!',
  mediumsEmpty: 'No mediums found. Add your first medium!',
  name: 'Name',
  nameMissing: 'Name is required',
  description: 'Description',
  sortOrder: 'Sort order',
  sortOrderHint: 'Lower numbers come first.',
  active: 'Active',
  inactive: 'Inactive',
  offered: 'Offered in pickers',
  order: (value: number) => `order ${value}`,
  usedBy: (count: number) => (count === 1 ? 'used by 1 work' : `used by ${count} works`),
  deleteQuestion: (name: string) => `Delete “${name}”?`,
  deleteUsed: (count: number) =>
    count === 1
      ? '1 work uses this name and keeps it as text.'
      : `${count} works use this name and keep it as text.`,
  deleteUnused: 'No work uses it.',
  categoryGone: 'This category was deleted meanwhile. What you typed stays here until you close this.',
  mediumGone: 'This medium was deleted meanwhile. What you typed stays here until you close this.',
  renameUsed: (count: number) =>
    count === 1
      ? 'A new name goes to 1 work that uses it.'
      : `A new name goes to ${count} works that use it.`,
  deleting: 'Deleting...',
  adding: 'Adding...',
} as const

export const BLOG_WORDS = {
  title: 'Blog Management',
  autoSync: 'Auto-sync from an external blog',
  noAddress: 'No blog address is set yet. It stands under Content, in the field “Blog address”.',
  syncNow: 'Sync Now',
  syncing: 'Syncing...',
  neverSynced: 'Never synced yet.',
  lastSynced: (when: string) => `Last synced ${when}`,
  next: (when: string) => `Next ${when}.`,
  created: 'created',
  updated: 'updated',
  removed: 'removed',
  unchanged: 'unchanged',
  external: 'External Post',
  hidden: 'Hidden',
  ownWords: 'Own words',
  empty: 'No blog posts found. Sync from Blogger or add custom posts.',
  edit: (title: string) => `Edit ${title}`,
  show: (title: string) => `Show on website: ${title}`,
  showShort: 'Show on website',
  hide: 'Hide from website',
  search: 'Search posts',
  editPost: 'Edit Post',
  updatePost: 'Update Post',
  postTitle: 'Title',
  excerpt: 'Excerpt',
  picture: 'Picture (address)',
  pictureHint: 'An address that begins with https, or one of this site.',
  own: 'Your own words; later syncs leave them alone.',
  useBlogs: "Use the blog's text",
  willUseBlogs: 'Saving brings the blog’s own back.',
  undoUseBlogs: 'Keep mine',
  titleMissing: 'Title is required',
  gone: 'This post was removed meanwhile. What you typed stays here until you close this.',
  open: 'Open on the blog',
  saved: success('Blog post updated successfully.'),
  saveFailed: failure('Failed to update blog post.'),
} as const

export const MESSAGE_WORDS = {
  title: 'Contact Messages',
  empty: 'No messages received yet.',
  unread: 'Unread',
  unreadCount: (count: number) => `${count} unread`,
  markRead: 'Mark Read',
  delete: 'Delete',
  deleteOf: (name: string) => `Delete the message of ${name}`,
  deleteTitle: 'Delete Message',
  deleteQuestion: (name: string) => `Delete the message of ${name}?`,
  deleteText:
    'It is erased for good, with everything that this person wrote here. A copy in your mailbox is not erased.',
  deleting: 'Deleting...',
  reply: 'Reply',
  replyByMail: (name: string) => `Reply to ${name} by e-mail`,
  whatsapp: 'WhatsApp',
  replyByWhatsapp: (name: string) => `Reply to ${name} on WhatsApp`,
  about: 'About',
  mailOff: 'E-mail is not set up on the server: new messages arrive here only.',
  mailWaiting: 'Mail to you is waiting',
  mailSent: 'Mailed to you',
  mailRefused: 'Mail to you was refused',
  search: 'Search messages',
  nothingFound: 'No message fits.',
} as const

export const ACTIVITY_WORDS = {
  title: 'Activity',
  of: (title: string) => `Activity of ${title}`,
  filter: 'Only of one work',
  allWorks: 'All activity',
  empty: 'Nothing has happened yet.',
  more: 'Show more',
  undone: success('Undone.'),
  undoFailed: failure('This could not be undone.'),
} as const

export const ACCOUNT_WORDS = {
  title: 'Account',
  signedInAs: (name: string) => `Signed in as ${name}`,
  password: 'Change password',
  current: 'Current password',
  new: 'New password',
  newHint: 'At least 8 characters. All other browsers are signed out.',
  currentMissing: 'Current password is required',
  newMissing: 'New password is required',
  change: 'Change Password',
  changing: 'Changing...',
  changed: success('Password changed. Other browsers are signed out.'),
  changeFailed: failure('Failed to change the password.'),
  sessions: 'Signed-in browsers',
  thisOne: 'This browser',
  lastSeen: (when: string) => `last seen ${when}`,
  end: 'Sign out',
  endName: (device: string, when: string) => `Sign out ${device}, last seen ${when}`,
  ended: success('Signed out there.'),
  endFailed: failure('Failed to sign out there. Please try again.'),
} as const
