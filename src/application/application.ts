import type { Kernel } from './kernel/execute.ts'
import type { Accounts } from './kernel/ports/accounts.ts'
import type { FileStore } from './kernel/ports/files.ts'
import type { HtmlSanitiser } from './ports/html.ts'
import type { KeyVault } from './kernel/ports/key-vault.ts'
import type { Leases } from './kernel/ports/leases.ts'
import type { Images } from './ports/images.ts'
import type { Lookups } from './ports/lookups.ts'
import type { SafeFetch } from './kernel/ports/safe-fetch.ts'
import type { Scratch } from './kernel/ports/scratch.ts'
import type { Sessions } from './kernel/ports/sessions.ts'

/** Everything a use case may reach. Built once, in the composition. */
export interface Application extends Kernel {
  readonly lookups: Lookups
  readonly files: FileStore
  readonly images: Images
  readonly safeFetch: SafeFetch
  readonly html: HtmlSanitiser
  readonly keyVault: KeyVault
  readonly accounts: Accounts
  readonly sessions: Sessions
  readonly scratch: Scratch
  readonly leases: Leases
}
