import { failure, success } from '../admin-constants.ts'
import type { Samples } from '#web/contract/status.ts'

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
  backupCheckFailed: (reason: string) => `The last backup was restored for a look: ${reason}`,
  jobFailed: (what: string, reason: string) => `${what} failed: ${reason}`,
  moreFailed: (count: number) =>
    count === 1 ? 'One more piece of work has failed.' : `${count} more pieces of work have failed.`,
  noReason: 'it is not known why.',
  tryAgain: 'Try again',
  outdated: 'What you see may be out of date: it could not be loaded again after a change.',
  trying: 'Trying...',
  retried: success('It is tried again.'),
  retryFailed: failure('It could not be tried again. Please look at the list once more.'),
  backupAt: (when: string) => `Last backup ${when}`,
  backupChecked: (when: string) => `restored for a look ${when}, nothing lacks`,
  backupLacks: (when: string) => `restored for a look ${when}, something lacks`,
  noBackup: 'No backup yet',
  free: (free: string) => `${free} free`,
  version: (version: string) => `Atelier ${version}`,
  firstSteps: 'First steps',
  stepsDoneOf: (done: number, all: number) => `${done} of ${all} done`,
  stepDone: 'done',
  stepsDone: 'All first steps are done. The site is yours.',
  putAway: 'Put away',
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

/** The jobs behind the scenes in her words, by the names of the jobs; others go by their own. */
export const JOB_WORDS: Readonly<Record<string, string>> = {
  'process-image': 'Preparing a picture',
  'copy-artwork-picture': 'Copying the picture of a work',
  'copy-journal-pictures': 'Copying the pictures of a journal post',
  'sync-blog': 'The sync with the blog',
  'mail-enquiry': 'Mailing a message to you',
}

/** The kinds of sample content: one of them, several. */
const KINDS: { readonly [Kind in keyof Samples]: readonly [string, string] } = {
  artworks: ['work', 'works'],
  posts: ['journal post', 'journal posts'],
  texts: ['text', 'texts'],
  categories: ['category', 'categories'],
  mediums: ['medium', 'mediums'],
}

/** "12 works, 3 journal posts and 1 category": what goes or what stays; empty for nothing. */
export function samplesInWords(counts: Samples, which: 'go' | 'stay'): string {
  // The keys of the table are the kinds.
  const parts = (Object.keys(KINDS) as (keyof Samples)[]).flatMap((kind) => {
    const count = counts[kind][which]
    return count === 0 ? [] : [`${count} ${KINDS[kind][count === 1 ? 0 : 1]}`]
  })
  const last = parts.pop() ?? ''
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`
}
