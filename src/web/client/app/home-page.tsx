import { useQueryClient } from '@tanstack/react-query'
import { CatchBoundary, Outlet, useNavigate, useParams, useLocation, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { Contact } from '../messages/contact.tsx'
import { About } from '../site-content/about.tsx'
import { Footer } from './footer.tsx'
import { Gallery } from '../artworks/gallery.tsx'
import { Hero } from '../site-content/hero.tsx'
import { Navigation } from './navigation.tsx'
import { Journal } from '../journal/journal.tsx'
import { slugAndId } from '#web/contract/artwork-address.ts'
import {
  artistNameOf,
  contactEmailOf,
  dataOf,
  featuredArtworks,
  type Loadable,
  artworksIn,
  categoryIn,
} from '../lib/page-data.ts'
import { usePageList } from '../lib/page-queries.ts'
import type { PageArtwork } from '../lib/on-page.ts'
import { logOut, useUser } from '../lib/session.ts'
import { type AskedArtwork, AskAboutProvider } from './ask-about.ts'
import { useDocumentFacts } from './document-facts.ts'
import { ErrorAbovePage } from './error-page.tsx'
import { useHydrated } from '../lib/hydrated.ts'
import { keepPlace } from './keep-place.ts'
import { galleryList, type ArtworkList, categoryOf } from './artwork-list.ts'
import { useAdminOverlay } from './use-admin-overlay.ts'

const AdminOverlay = lazy(() => import('./admin-overlay.tsx'))

const FEATURED: ArtworkList = { kind: 'featured' }
/** The same at each render, or what is made of it would be made anew. */
const NONE: readonly never[] = []

/** What could not be fetched is there in a page that is loaded again. */
const neverReset = (): string => ''

/** The one page: all sections, and above them whatever work or dashboard is open. */
export function HomePage() {
  const texts = usePageList('site-content')
  const site = dataOf(texts, null)
  const list = usePageList('artworks')
  const categories = usePageList('categories')
  const journal = usePageList('blog-posts')
  const user = useUser()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const admin = useAdminOverlay()
  const { isPublic, contact, below } = useDocumentFacts()
  const covered = useParams({ strict: false, select: ({ slugAndId }) => slugAndId !== undefined })
  const category = useGalleryCategory(covered)
  const hydrated = useHydrated()
  const [asked, setAsked] = useState<AskedArtwork | null>(null)

  const artworks = dataOf(list, NONE)
  const chosen = useMemo(() => artworksIn(artworks, category), [artworks, category])
  const featured = useMemo(() => featuredArtworks(artworks), [artworks])
  const open = useCallback(
    (id: string, from: ArtworkList | undefined) => {
      const artwork = artworks.find((each) => each.id === id)
      if (!artwork) return
      keepPlace()
      void navigate({
        to: '/artwork/$slugAndId',
        params: { slugAndId: slugAndId(artwork) },
        state: { opened: true, ...(from ? { list: from } : {}) },
        resetScroll: false,
      })
    },
    [navigate, artworks],
  )
  const openFromGallery = useCallback((id: string) => open(id, galleryList(category)), [open, category])
  const openFeatured = useCallback((id: string) => open(id, FEATURED), [open])

  const artistName = artistNameOf(site)
  return (
    <AskAboutProvider value={setAsked}>
      <Navigation
        artistName={artistName}
        overHero
        onAdmin={admin.enter}
        // The cached page fits everybody.
        onLogout={hydrated && user ? () => void logOut(queries) : undefined}
      />
      <main>
        <Hero
          site={site}
          featured={some(list, featured)}
          covered={covered && (hydrated ? 'there' : 'arriving')}
          onOpen={openFeatured}
        />
        {/* What follows waits for these; what stands above is painted meanwhile. */}
        {below.map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
        <About texts={texts} artistName={artistName} />
        <Gallery
          gallery={some(list, chosen)}
          categories={categories}
          category={category}
          onCategory={(name) =>
            void navigate({ to: '/', search: name === null ? {} : { category: name }, resetScroll: false })
          }
          onOpen={openFromGallery}
        />
        <Journal journal={journal} blogUrl={site?.blogUrl ?? ''} />
        <Contact
          email={contactEmailOf(site, isPublic)}
          whatsapp={site?.contactWhatsapp ?? ''}
          address={site?.contactAddress ?? ''}
          about={asked}
          onForgetArtwork={() => setAsked(null)}
          outcome={contact}
        />
      </main>
      <Footer artistName={artistName} />
      <Outlet />
      {admin.isAsked && (
        <CatchBoundary getResetKey={neverReset} errorComponent={ErrorAbovePage}>
          <Suspense>
            <AdminOverlay control={admin} />
          </Suspense>
        </CatchBoundary>
      )}
    </AskAboutProvider>
  )
}

/** Some of a list, once that is there. */
function some(
  list: Loadable<readonly PageArtwork[]>,
  data: readonly PageArtwork[],
): Loadable<readonly PageArtwork[]> {
  return list.status === 'ready' ? { ...list, data } : list
}

/**
 * The filter of the gallery: the one in the homepage's address, or below an open artwork the one it was
 * opened from. The history's state is unknown to the server, so it counts only after hydration.
 */
function useGalleryCategory(covered: boolean): string | null {
  const asked = categoryIn(useSearch({ from: '/site' }).category)
  // In the address of an artwork it means nothing, as on the server.
  const category = covered ? null : asked
  const opened = useLocation({ select: ({ state }) => categoryOf(state.list) })
  const hydrated = useHydrated()
  return category ?? (hydrated ? opened : null)
}
