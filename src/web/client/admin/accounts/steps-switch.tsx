import { useId } from 'react'
import { Switch } from '../../ui/switch.tsx'
import { ACCOUNT_WORDS } from './account-words.ts'
import { useStatus } from '../lib/queries.ts'
import { useSteps, useStepsAway } from '../shell/use-first-steps.ts'
import styles from './account-dialog.module.css'

/** Brings the first steps back, or puts them away. */
export function StepsSwitch() {
  const hintId = useId()
  const { data: status } = useStatus()
  const { save, pending, input } = useStepsAway()
  // Then there is no list to bring back.
  const allDone = useSteps()?.every(({ done }) => done) ?? false
  if (!status) return null
  const isAway = pending && input !== undefined ? input.body.away : status.firstStepsAway
  return (
    <div className={styles.part}>
      <Switch
        label={ACCOUNT_WORDS.showSteps}
        describedBy={hintId}
        checked={!isAway && !allDone}
        disabled={allDone}
        onChange={(shown) => !pending && void save({ body: { away: !shown } })}
      />
      <p id={hintId} className={styles.who}>
        {allDone ? ACCOUNT_WORDS.stepsAllDone : ACCOUNT_WORDS.showStepsHint}
      </p>
    </div>
  )
}
