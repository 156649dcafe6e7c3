import { RouterProvider } from '@tanstack/react-router'
import type { ContactOutcome, PageData } from '#web/contract/pages.ts'
import { type PageStore, PageStoreProvider } from '../lib/page-store.ts'
import { SessionProvider, type SessionStore } from '../lib/session.ts'
import type { AppRouter } from '../router.tsx'
import { PictureSizesProvider } from '../ui/site-picture.tsx'
import { Toaster } from '../ui/toaster.tsx'
import { ContactOutcomeProvider } from './contact-outcome.ts'

type AppProps = {
  router: AppRouter
  store: PageStore
  session: SessionStore
  contact: ContactOutcome | null
  pictures: PageData['pictures']
}

/** The same tree on the server and in the browser. */
export function App({ router, store, session, contact, pictures }: AppProps) {
  return (
    <SessionProvider value={session}>
      <PageStoreProvider value={store}>
        <ContactOutcomeProvider value={contact}>
          <PictureSizesProvider value={pictures}>
            <RouterProvider router={router} />
          </PictureSizesProvider>
          <Toaster />
        </ContactOutcomeProvider>
      </PageStoreProvider>
    </SessionProvider>
  )
}
