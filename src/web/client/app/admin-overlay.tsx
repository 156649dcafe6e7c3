import { useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useCallback } from 'react'
import { TEXT } from '../lib/constants.ts'
import { Quiet } from '../ui/quiet.tsx'
import { useHydrated } from './hydrated.ts'

/** The dashboard with its login dialog, a chunk that visitors never load. */
export const AdminApp = lazy(() => import('../admin/admin-app.tsx'))

type AdminOverlayControl = { isOpen: boolean; open: () => void; close: () => void }

/** Whether the dashboard lies above the page: one history entry at the same address (decisions 114). */
export function useAdminOverlay(): AdminOverlayControl {
  const { history } = useRouter()
  const navigate = useNavigate()
  const wanted = useLocation({ select: ({ state }) => state.dashboard === true })
  const hydrated = useHydrated()
  const open = useCallback(
    () =>
      void navigate({
        to: '.',
        search: true,
        hash: true,
        state: (before) => ({ ...before, dashboard: true }),
        resetScroll: false,
      }),
    [navigate],
  )
  const close = useCallback(() => history.back(), [history])
  return { isOpen: hydrated && wanted, open, close }
}

export function AdminOverlay({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  if (!isOpen) return null
  return (
    <Suspense
      fallback={
        <div role="status">
          <Quiet>{TEXT.loadingAdmin}</Quiet>
        </div>
      }
    >
      <AdminApp place="overlay" onClose={onClose} />
    </Suspense>
  )
}
