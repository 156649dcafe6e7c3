import type { BackedUp, BackupOptions } from './backup.ts'

/** So many are named in a sentence. */
const mostNamed = 12

/** Names files that a backup is without. */
const leftOutInWords = (keys: readonly string[], why: string): string => {
  if (keys.length === 0) return ''
  const more = keys.length > mostNamed ? `; and ${keys.length - mostNamed} more` : ''
  const count = keys.length === 1 ? '1 file is' : `${keys.length} files are`
  return `${count} ${why} and not in the backup: ${keys.slice(0, mostNamed).join('; ')}${more}`
}

/** Those that the log needs are named as such. */
const cutInWords = ({ cut, lacking }: Pick<BackedUp, 'cut' | 'lacking'>): string => {
  const needed = new Set(lacking.map(({ key }) => key))
  return leftOutInWords(
    cut.filter((key) => !needed.has(key)),
    'cut',
  )
}

/** What is wrong with a site, as its backup has found it, each with what to do; empty when nothing is. */
export const complaintsInWords = (
  done: Pick<BackedUp, 'cut' | 'unreadable' | 'lacking' | 'lostKeys' | 'returnedKeys'>,
  { needed, neededKeys }: Pick<BackupOptions, 'needed' | 'neededKeys'>,
): readonly string[] =>
  (
    [
      [
        needed.inWords(done.lacking),
        'Bring them back from an older backup or upload them again; the last nightly backup that has them is kept',
      ],
      [
        leftOutInWords(done.unreadable, 'unreadable'),
        'The disk is failing: save what there is, and replace it',
      ],
      [cutInWords(done), 'They are made anew from what the log needs when somebody asks for them'],
      [neededKeys.inWords(done.lostKeys), keysAdvice],
      [neededKeys.returnedInWords(done.returnedKeys), returnedAdvice],
    ] as const
  ).flatMap(([words, advice]) => (words === '' ? [] : [`${words}. ${advice}`]))

/** What to do about lost keys. */
export const keysAdvice =
  'Restore the newest backup with a keys file that has them into an empty place, and keep that file until then. ' +
  'Where no keys file has them, "atelier events accept --letters" counts them as erased, with the server stopped'

/** What to do about keys that are back. */
export const returnedAdvice =
  'No backup takes them, and the worker erases them again when it starts; find out who put the copy there'
