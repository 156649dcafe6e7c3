import { z } from 'zod'
import { canonicalJson } from '#application/kernel/archive/canonical-json.ts'
import { usernameKey } from '#application/kernel/ports/accounts.ts'
import { Refusal } from '#domain/refusal.ts'

/*
 * A backup is a tar file, which any tar program opens: `files/…` as the file store keeps them,
 * `accounts.json`, `events.ndjson.gz` as `events export` writes it, and last `manifest.json`, which names all
 * of them. Keys are not in it.
 */
export const filesFolder = 'files/'
export const accountsName = 'accounts.json'
export const eventsName = 'events.ndjson.gz'
export const manifestName = 'manifest.json'

/** In bytes. Both are read as a whole; the manifest of half a million files is smaller. */
export const longest = { [accountsName]: 1024 * 1024, [manifestName]: 128 * 1024 * 1024 } as const

/** What of the file store belongs to a site. Cards are drawn anew when they are asked for. */
export const keptPrefixes = ['originals/', 'images/'] as const

const format = 'atelier backup 1'

const schema = z.strictObject({
  format: z.string(),
  /** of the program that wrote it */
  version: z.string(),
  /** ISO 8601: the log, the images and the accounts are of no earlier moment */
  createdAt: z.string(),
  counts: z.strictObject({ events: z.int().min(0), files: z.int().min(0), accounts: z.int().min(0) }),
  entries: z.record(
    z.string(),
    z.strictObject({ bytes: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
  ),
})

/** The last entry of a backup: what is in it, for checking. */
export type Manifest = z.output<typeof schema>
export type ManifestEntry = Manifest['entries'][string]

export const manifestText = (manifest: Omit<Manifest, 'format'>): string =>
  `${canonicalJson({ format, ...manifest })}\n`

/** @throws {Refusal} when it is none, or one of a later form */
export const parseManifest = (text: string): Manifest => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Refusal('invalid', `${manifestName} in the backup is damaged`)
  }
  const form = z.looseObject({ format: z.string() }).safeParse(value)
  if (form.success && form.data.format !== format) {
    throw new Refusal(
      'invalid',
      `The backup has the form "${form.data.format}": use the Atelier that wrote it`,
    )
  }
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw new Refusal('invalid', `${manifestName} in the backup is damaged`)
  return parsed.data
}

const account = z.strictObject({
  id: z.string().min(1),
  username: z.string().min(1),
  email: z.string().nullable(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  profileImageUrl: z.string().nullable(),
  passwordHash: z.string().startsWith('$argon2id$'),
  firstPassword: z.boolean(),
  // Archives that were written before there was a list of first steps do not say.
  firstStepsAway: z.boolean().default(false),
  createdAt: z.string(),
  updatedAt: z.string(),
})

const isOnce = (keys: readonly string[]): boolean => new Set(keys).size === keys.length

/** Each account once, by its id and by what it signs in with. */
const accounts = z
  .array(account)
  .refine(
    (all) => isOnce(all.map(({ id }) => id)) && isOnce(all.map(({ username }) => usernameKey(username))),
  )

/** Reads `accounts.json`. @throws {Refusal} */
export const parseAccounts = (text: string): readonly z.output<typeof account>[] => {
  try {
    return accounts.parse(JSON.parse(text))
  } catch {
    throw new Refusal('invalid', `${accountsName} in the backup is damaged`)
  }
}
