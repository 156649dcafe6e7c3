import { useEffect, useId, useState } from 'react'
import { changeFirstSteps } from '#web/contract/addresses.ts'
import { call } from '../../lib/api.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Quiet } from '../../ui/quiet.tsx'
import { AdminIcon } from '../admin-icon.tsx'
import { TestCode } from '../site-content/test-code.tsx'
import { Banner } from '../form/banner.tsx'
import { useDashboardParts } from '../lib/dashboard-parts.ts'
import { isTyping, openPanel } from '../lib/screen.ts'
import { type Step, useFirstSteps, useSteps, useStepsAway } from '../site-content/first-steps.ts'
import styles from './first-steps-panel.module.css'

const TITLE = 'First steps'

/** The first steps in her words. */
const STEP_WORDS = {
  password: 'Choose a password of your own',
  person: 'Your name and portrait',
  contact: 'Your e-mail or WhatsApp, for visitors who write',
  upi: 'Your UPI ID, so that you can be paid',
  artwork: 'Your first work',
  journal: 'The address of your journal',
} as const

type FirstStepsProps = {
  /** the list is open until she closes it; elsewhere its first line has to do */
  opensItself: boolean
}

/** What a new site needs first. It ticks itself off, says once that all is done, and can be put away. */
export function FirstSteps({ opensItself }: FirstStepsProps) {
  const steps = useFirstSteps()
  const { save, pending } = useStepsAway()
  const all = useSteps()
  const isDone = all !== null && all.every(({ done }) => done)
  // A page on which it stood says that all is done, and goes on saying it: that it was put away then is heard of by
  // this very page, and by another one of hers perhaps before what was done last.
  const [hasStood, setHasStood] = useState(false)
  if (steps === null && !(hasStood && isDone)) return null
  const putAway = async (): Promise<void> => {
    if (pending) return
    if (!(await save({ body: { away: true } })).ok) return
    setHasStood(false)
    // What had the focus is gone with the list, unless she types by now.
    if (!isTyping()) openPanel()?.focus({ preventScroll: true })
  }
  const button = (
    <Button look="plain" busy={pending} onClick={() => void putAway()}>
      Put away
    </Button>
  )
  return steps === null || isDone ? (
    <AllDone button={button} onShown={() => setHasStood(true)} />
  ) : (
    <List steps={steps} opensItself={opensItself} button={button} onShown={() => setHasStood(true)} />
  )
}

/** Said once: the next visit finds the list put away. */
function AllDone({ button, onShown }: { button: React.ReactNode; onShown: () => void }) {
  useEffect(() => {
    onShown()
    // Where it cannot be kept just now it is said again next time, and the button tells what is wrong.
    call(changeFirstSteps, { body: { away: true } }).catch(() => undefined)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once
  }, [])
  return <Banner actions={button}>All first steps are done. The site is yours.</Banner>
}

type ListProps = FirstStepsProps & {
  steps: readonly Step[]
  button: React.ReactNode
  onShown: () => void
}

function List({ steps, opensItself, button, onShown }: ListProps) {
  const id = useId()
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- once
  useEffect(onShown, [])
  const { stepsUnfolded, unfoldSteps } = useDashboardParts()
  const open = stepsUnfolded ?? opensItself
  const done = steps.filter((step) => step.done).length
  return (
    <section className={styles.panel} aria-label={TITLE}>
      <div className={styles.head}>
        <Button
          look="plain"
          className={styles.title}
          aria-expanded={open}
          aria-controls={id}
          onClick={() => unfoldSteps(!open)}
        >
          <Icon name="next" className={styles.arrow} />
          <strong>{TITLE}</strong> <small>{`${done} of ${steps.length} done`}</small>
        </Button>
        {button}
      </div>
      <div id={id} hidden={!open}>
        <ol className={styles.steps}>
          {steps.map((step) => (
            <li key={step.id} data-done={step.done || undefined}>
              <StepButton step={step} />
            </li>
          ))}
        </ol>
        <TestCode />
      </div>
    </section>
  )
}

function StepButton({ step: { id, done, leadsTo } }: { step: Step }) {
  const { ask, openAccount } = useDashboardParts()
  return (
    <Button
      look="plain"
      className={styles.step}
      onClick={() => (leadsTo.kind === 'password' ? openAccount('password') : ask(leadsTo))}
    >
      <span className={styles.tick} aria-hidden="true">
        {done && <AdminIcon name="check" />}
      </span>
      <span>
        {STEP_WORDS[id]}
        {done && <Quiet> (done)</Quiet>}
      </span>
    </Button>
  )
}
