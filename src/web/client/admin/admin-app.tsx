// The messages' own chunk: without a connection there would be none to tell of the failure.
import '../ui/toast.tsx'
import { useLayoutEffect } from 'react'
import { fetchToasts } from '../ui/toaster.tsx'
import { TooltipProvider } from '../ui/tooltip.tsx'
import { GuardProvider } from './lib/guard.tsx'
import { AdminOverlayGate, AdminPageGate } from './shell/gate.tsx'

// Here with the dashboard: the first message may be that the connection is gone, or the session.
void fetchToasts()

export type AdminAppProps = {
  /** `page` is `/admin` itself, `overlay` lies above the homepage */
  place: 'page' | 'overlay'
  /** a login has opened it, and has asked who is signed in */
  isByLogin?: boolean
  onClose: () => void
}

/**
 * Tells the browser not to translate the page while the dashboard stands: a text that it has put into elements of its own
 * breaks the dashboard when it goes, and tells of nothing any more that has changed.
 */
function useOwnWords(): void {
  useLayoutEffect(() => {
    const page = document.documentElement
    page.translate = false
    return () => page.removeAttribute('translate')
  }, [])
}

/** The lazy chunk of the dashboard, with its login. Visitors never download it. */
export default function AdminApp({ place, isByLogin = false, onClose }: AdminAppProps) {
  useOwnWords()
  return (
    <TooltipProvider>
      <GuardProvider>
        {place === 'page' ? (
          <AdminPageGate onClose={onClose} />
        ) : (
          <AdminOverlayGate isByLogin={isByLogin} onClose={onClose} />
        )}
      </GuardProvider>
    </TooltipProvider>
  )
}
