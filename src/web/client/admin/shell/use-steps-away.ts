import { changeFirstSteps } from '#web/contract/addresses.ts'
import { SHELL_WORDS } from '../admin-constants.ts'
import { KEYS } from '../lib/queries.ts'
import { useSave } from '../lib/save.ts'

/** Puts the first steps away for every browser of hers, or brings them back. */
export function useStepsAway() {
  return useSave(changeFirstSteps, {
    refetch: [KEYS.status],
    success: ({ body }) => (body.away ? SHELL_WORDS.stepsPutAway : SHELL_WORDS.stepsBack),
    failure: SHELL_WORDS.stepsFailed,
  })
}
