import type { Samples } from '#web/contract/status.ts'

/** Words of the shell: header, banners, footer, login. */
export const SHELL_WORDS = {
  tabs: 'Dashboard',
  removeSamples: 'Remove sample content',
  samplesGo: (what: string) => `These go: ${what}.`,
  jobFailed: (what: string, reason: string) => `${what} failed: ${reason}`,
  moreFailed: (count: number) =>
    count === 1 ? 'One more piece of work has failed.' : `${count} more pieces of work have failed.`,
  tryAgain: 'Try again',
  backupChecked: (when: string) => `restored for a look ${when}, nothing lacks`,
  backupLacks: (when: string) => `restored for a look ${when}, something lacks`,
  firstSteps: 'First steps',
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
