import { SHELL_WORDS } from '../admin-constants.ts'
import { KEYS } from '../lib/queries.ts'
import { type Save, useSave } from '../lib/save.ts'

/** Puts the first steps away for every browser of hers, or brings them back. */
export function useStepsAway(): Save<boolean, unknown> {
  return useSave<boolean>({
    request: (away) => ({ method: 'PUT', path: '/api/account/first-steps', body: { away } }),
    refetch: [KEYS.status],
    success: (away) => (away ? SHELL_WORDS.stepsPutAway : SHELL_WORDS.stepsBack),
    failure: SHELL_WORDS.stepsFailed,
  })
}
