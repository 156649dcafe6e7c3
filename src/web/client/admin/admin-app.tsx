// The messages' own chunk: without a connection there would be none to tell of the failure.
import '../ui/toast.tsx'
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

/** The lazy chunk of the dashboard, with its login. Visitors never download it. */
export default function AdminApp({ place, isByLogin = false, onClose }: AdminAppProps) {
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
