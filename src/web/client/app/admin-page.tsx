import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { TEXT } from '../lib/constants.ts'
import { useHydrated } from './hydrated.ts'

/** The dashboard with its login dialog, a chunk that visitors never load. */
const AdminApp = lazy(() => import('../admin/admin-app.tsx'))

/** `/admin`: the dashboard on a page of its own; closing it leads to `/` (specification §2). */
export function AdminPage() {
  const hydrated = useHydrated()
  const navigate = useNavigate()
  const waiting = <p role="status">{TEXT.loading}</p>
  if (!hydrated) return <main>{waiting}</main>
  return (
    <Suspense fallback={<main>{waiting}</main>}>
      <AdminApp place="page" onClose={() => void navigate({ to: '/' })} />
    </Suspense>
  )
}
