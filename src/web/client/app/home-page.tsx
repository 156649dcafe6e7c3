import { Outlet, useNavigate, useParams } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { Artwork } from '#web/contract/artworks.ts'
import type { BlogPost } from '#web/contract/journal.ts'
import { Contact } from '../messages/contact.tsx'
import { About } from '../site-content/about.tsx'
import { Footer } from './footer.tsx'
import { Gallery } from '../artworks/gallery.tsx'
import { Hero } from '../site-content/hero.tsx'
import { Navigation } from './navigation.tsx'
import { Journal, type JournalPosts } from '../journal/journal.tsx'
import {
  activeCategories,
  artistNameOf,
  contactEmailOf,
  dataOf,
  featuredArtworks,
  heroTitleOf,
  type Loadable,
  publicArtworks,
  slugAndId,
  artworksIn,
} from '../lib/page-data.ts'
import { usePageStore, usePublicState } from '../lib/page-store.ts'
import { useSession, useSessionStore } from '../lib/session.ts'
import { AdminOverlay, useAdminOverlay } from './admin-overlay.tsx'
import { type AskedArtwork, AskAboutProvider } from './ask-about.ts'
import { useContactOutcome } from './contact-outcome.ts'
import { useGalleryCategory } from './gallery-category.ts'
import { useHydrated } from './hydrated.ts'
import { keepPlace } from './keep-place.ts'
import { useTakenOver } from './taken-over.ts'
import { galleryList, type ArtworkList } from './artwork-list.ts'

const FEATURED: ArtworkList = { kind: 'featured' }

/** The one page: all sections, and above them whatever work or dashboard is open. */
export function HomePage() {
  const store = usePageStore()
  const state = usePublicState()
  const session = useSession()
  const sessions = useSessionStore()
  const navigate = useNavigate()
  const category = useGalleryCategory()
  const admin = useAdminOverlay()
  const outcome = useContactOutcome()
  const covered = useParams({ strict: false, select: ({ slugAndId }) => slugAndId !== undefined })
  const hydrated = useHydrated()
  const [asked, setAsked] = useState<AskedArtwork | null>(null)

  useTakenOver(!covered)
  useEffect(() => void store.fill(), [store])

  const artworks = useMemo(() => publicArtworks(dataOf(state.artworks, [])), [state.artworks])
  const gallery = useMemo(
    () => listed(state.artworks, artworksIn(artworks, category)),
    [state.artworks, artworks, category],
  )
  const featured = useMemo(
    () => listed(state.artworks, featuredArtworks(artworks)),
    [state.artworks, artworks],
  )
  const categories = useMemo(
    () => activeCategories(dataOf(state.categories, [])).map(({ name }) => name),
    [state.categories],
  )

  const open = useCallback(
    (id: string, list: ArtworkList | undefined) => {
      const artwork = artworks.find((each) => each.id === id)
      if (!artwork) return
      keepPlace()
      void navigate({
        to: '/artwork/$slugAndId',
        params: { slugAndId: slugAndId(artwork) },
        state: { opened: true, ...(list ? { list } : {}) },
        resetScroll: false,
      })
    },
    [navigate, artworks],
  )
  const openFromGallery = useCallback((id: string) => open(id, galleryList(category)), [open, category])
  const openFeatured = useCallback((id: string) => open(id, FEATURED), [open])
  const filter = useCallback(
    (name: string | null) =>
      void navigate({
        to: '/',
        search: name === null ? {} : { category: name },
        resetScroll: false,
      }),
    [navigate],
  )
  const forgetArtwork = useCallback(() => setAsked(null), [])
  const retry = useCallback(() => void store.retry('artworks'), [store])

  const site = dataOf(state['site-content'], null)
  const artistName = artistNameOf(site)
  return (
    <AskAboutProvider value={setAsked}>
      <Navigation
        artistName={artistName}
        overHero
        signedIn={session.status === 'in'}
        onAdmin={admin.enter}
        onLogout={() => void sessions.logOut()}
      />
      <main>
        <Hero
          title={heroTitleOf(site)}
          subtitle={site?.heroSubtitle ?? ''}
          primaryText={site?.heroPrimaryButtonText ?? ''}
          secondaryText={site?.heroSecondaryButtonText ?? ''}
          featured={featured}
          covered={covered && (hydrated ? 'there' : 'arriving')}
          onOpen={openFeatured}
        />
        <About site={site} artistName={artistName} />
        <Gallery
          gallery={gallery}
          categories={categories}
          category={category}
          onCategory={filter}
          onOpen={openFromGallery}
          onRetry={retry}
        />
        <Journal journal={journalOf(state['blog-posts'])} blogUrl={site?.blogUrl ?? ''} />
        <Contact
          email={contactEmailOf(site, store.isPublic)}
          whatsapp={site?.contactWhatsapp ?? ''}
          address={site?.contactAddress ?? ''}
          about={asked}
          onForgetArtwork={forgetArtwork}
          outcome={outcome}
        />
      </main>
      <Footer artistName={artistName} />
      <Outlet />
      <AdminOverlay control={admin} />
    </AskAboutProvider>
  )
}

/** To the owner the list also holds hidden posts; her page shows what visitors see. */
function journalOf(posts: Loadable<readonly BlogPost[]>): JournalPosts {
  if (posts.status !== 'ready') return posts
  return { status: 'ready', posts: posts.data.filter(({ isVisible }) => isVisible) }
}

type ListedArtworks =
  | Exclude<Loadable<readonly Artwork[]>, { status: 'ready' }>
  | { status: 'ready'; artworks: readonly Artwork[] }

function listed(loadable: Loadable<readonly Artwork[]>, artworks: readonly Artwork[]): ListedArtworks {
  return loadable.status === 'ready' ? { status: 'ready', artworks } : loadable
}
