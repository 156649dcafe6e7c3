import { RouterProvider } from '@tanstack/react-router'
import type { ContactOutcome } from '#web/contract/pages.ts'
import { type PageStore, PageStoreProvider } from '../lib/page-store.ts'
import { SessionProvider, type SessionStore } from '../lib/session.ts'
import type { AppRouter } from '../router.tsx'
import { Toaster } from '../ui/toaster.tsx'
import { ContactOutcomeProvider } from './contact-outcome.ts'

type AppProps = { router: AppRouter; store: PageStore; session: SessionStore; contact: ContactOutcome | null }

/** The same tree on the server and in the browser. */
export function App({ router, store, session, contact }: AppProps) {
  return (
    <SessionProvider value={session}>
      <PageStoreProvider value={store}>
        <ContactOutcomeProvider value={contact}>
          <RouterProvider router={router} />
          <Toaster />
        </ContactOutcomeProvider>
      </PageStoreProvider>
    </SessionProvider>
  )
}
