import { samplesInWords as inWords } from '#web/contract/forms.ts'
import type { Samples } from '#web/contract/status.ts'

/** "12 works, 3 journal posts and 1 category": what goes or what stays; empty for nothing. */
export function samplesInWords(counts: Samples, which: 'go' | 'stay'): string {
  const parts = inWords((kind) => counts[kind][which])
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}
