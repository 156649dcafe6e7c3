/** Everything a vault holds, outside of it: whoever has this can read every message. */
export interface VaultContents {
  /** keys as they are, 32 bytes each, not wrapped */
  readonly keys: readonly { readonly subjectId: string; readonly key: Uint8Array }[]
  readonly erasedIds: readonly string[]
}

/**
 * One key per message, kept wrapped under the site's secret. Deleting a key erases what was sealed with it,
 * in the log, in every replay and in every backup made from then on.
 */
export interface KeyVault {
  /** Seals a text under the subject's own key, which is made and stored durably first. Once per subject. */
  readonly seal: (subjectId: string, plaintext: string) => Promise<string>
  /** The text; null when the key is gone. @throws when the sealed text was tampered with */
  readonly open: (subjectId: string, sealed: string) => Promise<string | null>
  /** The same for many; null for those without a key, and for those that their key does not open. */
  readonly openMany: (
    sealed: readonly { readonly subjectId: string; readonly sealed: string }[],
  ) => Promise<readonly (string | null)[]>
  /**
   * Deletes the key and remembers the id as erased. Twice is no error.
   * @returns whether no readable trace is left; false: a long reader still holds old pages, ask again later
   */
  readonly erase: (subjectId: string) => Promise<boolean>
  readonly erasedIds: () => Promise<readonly string[]>
  /** All of it as of one moment, for the keys file of a backup, but for damaged keys, which open nothing: they are lost. */
  readonly takeOut: () => Promise<VaultContents>
  /**
   * Brings back what {@link takeOut} gave here or elsewhere, wrapped under this site's secret. What either
   * side knows as erased is erased afterwards, whatever keys there are; a subject's own key is never replaced.
   */
  readonly putBack: (contents: VaultContents) => Promise<void>
}
