import { listInWords, samplesInWords } from '#web/contract/forms.ts'
import type { Samples } from '#web/contract/status.ts'

/** "12 works, 3 journal posts and 1 category": what goes or what stays; empty for nothing. */
export function samplesListed(counts: Samples, which: 'go' | 'stay'): string {
  return listInWords(samplesInWords((kind) => counts[kind][which]))
}
