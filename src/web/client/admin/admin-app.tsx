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
  onClose: () => void
}

/** The lazy chunk of the dashboard, with its login. Visitors never download it. */
export default function AdminApp({ place, onClose }: AdminAppProps) {
  const Gate = place === 'page' ? AdminPageGate : AdminOverlayGate
  return (
    <TooltipProvider>
      <GuardProvider>
        <Gate onClose={onClose} />
      </GuardProvider>
    </TooltipProvider>
  )
}
