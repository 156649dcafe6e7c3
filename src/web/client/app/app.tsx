import { RouterProvider } from '@tanstack/react-router'
import type { ContactOutcome, PageData } from '#web/contract/pages.ts'
import { type PageStore, PageStoreProvider } from '../lib/page-store.ts'
import { SessionProvider, type SessionStore } from '../lib/session.ts'
import type { AppRouter } from '../router.tsx'
import { ImageSizesProvider } from '../ui/site-image.tsx'
import { Toaster } from '../ui/toaster.tsx'
import { ContactOutcomeProvider } from './contact-outcome.ts'
import { TakenOverProvider } from './taken-over.ts'

type AppProps = {
  router: AppRouter
  store: PageStore
  session: SessionStore
  contact: ContactOutcome | null
  pictures: PageData['pictures']
  /** called when a screen is taken over and everything on it answers */
  onTakenOver?: (() => void) | undefined
}

/** The same tree on the server and in the browser. */
export function App({ router, store, session, contact, pictures, onTakenOver }: AppProps) {
  return (
    <SessionProvider value={session}>
      <PageStoreProvider value={store}>
        <ContactOutcomeProvider value={contact}>
          <ImageSizesProvider value={pictures}>
            <TakenOverProvider value={onTakenOver}>
              <RouterProvider router={router} />
            </TakenOverProvider>
          </ImageSizesProvider>
          <Toaster />
        </ContactOutcomeProvider>
      </PageStoreProvider>
    </SessionProvider>
  )
}
