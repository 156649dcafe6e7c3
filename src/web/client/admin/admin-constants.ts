/**
 * Every text, limit and delay of the dashboard: the catalogue of the specification's section 8 word for word, and the words it
 * leaves open. Apart from `lib/constants.ts`, so that visitors never download them.
 */
import type { ToastText } from '../lib/constants.ts'

/** Limits and defaults of the specification's sections 5 and 9 that only her forms need. */
export const OWNER_LIMITS = {
  uploadMegabytes: 25,
  uploaderDefaultMegabytes: 10,
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

/** What the login form says of a field that was left empty. */
export const LOGIN_TEXT = {
  usernameMissing: 'Username is required',
  passwordMissing: 'Password is required',
} as const

/** A success: title "Success", the catalogue's text below it. */
export function success(description: string): ToastText {
  return { title: 'Success', description }
}

/** A failure: title "Error" unless the catalogue gives one. */
export function failure(description: string, title = 'Error'): ToastText {
  return { title, description, destructive: true }
}

/** The toasts of section 8; the public ones (login, session) stand in `lib/constants.ts`. */
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

/** Title of a refused upload; its description is the server's own sentence. */
export const UPLOAD_FAILED_TITLE = 'Upload Failed'
export const UPLOAD_FAILED_DEFAULT = 'Upload failed'

/** The two alerts of the uploader; shown at the field and as a toast. */
export const UPLOAD_ALERTS = {
  type: 'Please select a valid image file',
  heic: 'This is a HEIC picture, as iPhones keep them; browsers cannot show it. To make a JPEG of it: on the iPhone share it from Photos, press Options, choose “Most Compatible” and save it to Files; on a Mac open it in Preview and choose File, Export. For new photos: Settings, Camera, Formats, “Most Compatible”.',
  size: (megabytes: number) => `File size must be less than ${megabytes}MB`,
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

/** Words of the shell: header, banners, footer, login. */
export const SHELL_WORDS = {
  tabs: 'Dashboard',
  activity: 'Activity',
  account: 'Account',
  logOut: 'Log out',
  viewSite: 'View site',
  sections: 'sections',
  unread: 'unread',
  of: 'of',
  firstPassword: 'The password is still the first one. Please choose your own.',
  changePassword: 'Change password',
  samples:
    'This site shows sample content, so that you can see how it looks. What you have changed of it is yours and stays.',
  removeSamples: 'Remove sample content',
  removing: 'Removing...',
  removeSamplesNow: 'Remove',
  samplesGo: (what: string) => `These go: ${what}.`,
  samplesStay: (what: string) => `These stay, because you made or changed them or they are in use: ${what}.`,
  nothingStays: 'Nothing stays: you have not changed or added anything yet.',
  samplesReturn: 'The activity list can bring all of it back, with its pictures.',
  samplesRemoved: success('Sample content removed.'),
  samplesFailed: failure('Failed to remove the sample content. Please try again.'),
  fewBytes: (free: string) => `Only ${free} are free on the server. Uploads will soon be refused.`,
  backupFailed: (reason: string) => `The last backup failed: ${reason}`,
  jobFailed: (what: string, reason: string) => `${what} failed: ${reason}`,
  moreFailed: (count: number) =>
    count === 1 ? 'One more piece of work has failed.' : `${count} more pieces of work have failed.`,
  noReason: 'it is not known why.',
  tryAgain: 'Try again',
  trying: 'Trying...',
  retried: success('It is tried again.'),
  retryFailed: failure('It could not be tried again. Please look at the list once more.'),
  backupAt: (when: string) => `Last backup ${when}`,
  noBackup: 'No backup yet',
  free: (free: string) => `${free} free`,
  version: (version: string) => `Atelier ${version}`,
  firstSteps: 'First steps',
  stepsDoneOf: (done: number, all: number) => `${done} of ${all} done`,
  stepDone: 'done',
  stepsDone: 'All first steps are done. The site is yours.',
  putAway: 'Put away',
  stepsPutAway: success('First steps put away. “Account” brings them back.'),
  stepsBack: success('The first steps are at the top of the dashboard again.'),
  stepsFailed: failure('This could not be kept. Please try again.'),
} as const

/** The first steps in her words. */
export const STEP_WORDS = {
  password: 'Choose a password of your own',
  person: 'Your name and portrait',
  contact: 'Your e-mail or WhatsApp, so that letters reach you',
  upi: 'Your UPI ID, so that you can be paid',
  artwork: 'Your first work',
  journal: 'The address of your journal',
} as const

/** The work behind the scenes in her words, by the names of the jobs; others go by their own. */
export const JOB_WORDS: Readonly<Record<string, string>> = {
  'process-image': 'Preparing a picture',
  'copy-artwork-picture': 'Copying the picture of a work',
  'copy-journal-pictures': 'Copying the pictures of a journal post',
  'sync-blog': 'The sync with the blog',
  'mail-enquiry': 'Mailing a message to you',
}

export const LOGIN_WORDS = {
  title: 'Admin Login',
  username: 'Username',
  password: 'Password',
  login: 'Login',
  loggingIn: 'Logging in...',
  ended: 'Your session has ended. What you see and what you typed stays. Log in to go on.',
  kept: 'What you typed is kept. Log in, and it is offered to you again.',
  offline:
    'The site cannot be reached, so your password could not be checked. Please look at the connection.',
  forgotten:
    'Forgotten? Whoever runs the server can set a new password: atelier admin set-password (in a clone: npm run atelier -- admin set-password)',
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
  deleteKept: 'You can bring it back at any time: “Activity”, at the top, has an Undo.',
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
  lastTried: (when: string) => `The last try, ${when}, failed`,
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
  erasing: 'Being erased',
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
  older: 'Show older messages',
} as const

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
  endOthers: 'Sign out all other browsers',
  endingOthers: 'Signing out...',
  othersEnded: success('All other browsers are signed out.'),
  showSteps: 'Show the first steps',
  showStepsHint: 'The list at the top of the dashboard.',
  stepsAllDone: 'All of them are done.',
} as const
