import { listInWords, samplesInWords as inWords } from '#web/contract/forms.ts'
import type { Samples } from '#web/contract/status.ts'

/** "12 works, 3 journal posts and 1 category": what goes or what stays; empty for nothing. */
export function samplesInWords(counts: Samples, which: 'go' | 'stay'): string {
  return listInWords(inWords((kind) => counts[kind][which]))
}
