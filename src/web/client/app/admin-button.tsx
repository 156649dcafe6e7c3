import type { FormEvent } from 'react'
import { Button } from '../ui/button.tsx'

type AdminButtonProps = { onAdmin: (() => void) | undefined; className?: string | undefined }

/** A form that leads to /admin where no script runs, and calls `onAdmin` where one does. */
export function AdminButton({ onAdmin, className }: AdminButtonProps) {
  const submit = (event: FormEvent) => {
    if (!onAdmin) return
    event.preventDefault()
    onAdmin()
  }
  return (
    <form action="/admin" onSubmit={submit}>
      <Button type="submit" className={className}>
        Admin
      </Button>
    </form>
  )
}
