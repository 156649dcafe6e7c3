import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import type { LeaveQuestion } from '../lib/guard.tsx'

type LosingButtonProps = {
  children: string
  question: LeaveQuestion
  /** what it is about, where another one may come into its place: a held key does not go on with that one */
  of?: string
  onLose: () => void
}

/** A button that takes away for good what was typed. It asks first: what stands beside it is meant as often. */
export function LosingButton({ children, question, of, onLose }: LosingButtonProps) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button look="plain" data-of={of} onClick={() => setAsking(true)}>
        {children}
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={question.title}
        text={question.text}
        cancel={question.stay}
        confirm={question.go}
        onCancel={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false)
          onLose()
        }}
      />
    </>
  )
}
