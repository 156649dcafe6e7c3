import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type RegisteredRouter, RouterProvider } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { PageData } from '#web/contract/pages.ts'
import { ImageSizesProvider } from '../ui/site-image.tsx'
import { Toaster } from '../ui/toaster.tsx'
import { type DocumentFacts, DocumentFactsProvider } from './document-facts.ts'

type AppProps = {
  router: RegisteredRouter
  queries: QueryClient
  facts: DocumentFacts
  images: PageData['images']
  /** called when the page is taken over */
  onHydrated?: () => void
}

/** The same tree on the server and in the browser. */
export function App({ router, queries, facts, images, onHydrated }: AppProps) {
  useEffect(() => onHydrated?.(), [onHydrated])
  return (
    <QueryClientProvider client={queries}>
      <DocumentFactsProvider value={facts}>
        <ImageSizesProvider value={images}>
          <RouterProvider router={router} />
        </ImageSizesProvider>
        <Toaster />
      </DocumentFactsProvider>
    </QueryClientProvider>
  )
}
