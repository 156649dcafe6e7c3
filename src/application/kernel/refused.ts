import { Refusal, type RefusalKind } from '#domain/refusal.ts'

/** A decision's no, as an edge must know it; see {@link RefusalKind}. */
export interface Refused {
  readonly kind: RefusalKind
  readonly message: string
  readonly fields: Readonly<Record<string, string>> | undefined
}

/** What a use case refused, or null when the error is something else. */
export const refusedBy = (error: unknown): Refused | null => (error instanceof Refusal ? error : null)
