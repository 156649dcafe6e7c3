import { useNavigate } from '@tanstack/react-router'
import { Suspense } from 'react'
import { TEXT } from '../lib/constants.ts'
import { AdminApp } from './admin-overlay.tsx'
import { useHydrated } from './hydrated.ts'
import { useTakenOver } from './taken-over.ts'

/** `/admin`: the dashboard on a page of its own; closing it leads to `/` (specification §2). */
export function AdminPage() {
  const hydrated = useHydrated()
  const navigate = useNavigate()
  useTakenOver()
  const waiting = (
    <main>
      <p role="status">{TEXT.loading}</p>
    </main>
  )
  if (!hydrated) return waiting
  return (
    <Suspense fallback={waiting}>
      <AdminApp place="page" onClose={() => void navigate({ to: '/' })} />
    </Suspense>
  )
}
