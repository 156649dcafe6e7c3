import { useLocation, useNavigate, useParams, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ArtworkOverlay } from '../artworks/overlay.tsx'
import { idInAddress, slugAndId } from '#web/contract/artwork-address.ts'
import { artistNameOf, contactEmailOf, dataOf, type Loadable } from '../lib/page-data.ts'
import { loadable, usePageList, PAGE } from '../lib/page-queries.ts'
import type { PageArtwork } from '../lib/on-page.ts'
import { beginMessage } from '../messages/begin-message.ts'
import { useAskAbout } from './ask-about.ts'
import { useDocumentFacts } from './document-facts.ts'
import { useHydrated } from '../lib/hydrated.ts'
import { keepOwnPlace, restorePlaces } from './keep-place.ts'
import { homeTitle, artworkTitle } from './titles.ts'
import { categoryOf, type ArtworkList, artworksOf } from './artwork-list.ts'
import { useQuery } from '@tanstack/react-query'
import { getArtwork } from '#web/contract/addresses.ts'

/** `/artwork/{slug}-{id}`: the artwork above the page it belongs to. */
export function ArtworkPage() {
  const { slugAndId: segment } = useParams({ from: '/site/artwork/$slugAndId' })
  const { history } = useRouter()
  const navigate = useNavigate()
  const { opened, list } = useLocation({ select: ({ state }) => state })
  const loaded = usePageList('artworks')
  const artworks = dataOf(loaded, [])
  const id = idInAddress(segment)
  const artwork = artworks.find((each) => each.id === id)
  // The artwork was hidden or deleted meanwhile; a request for its address answers 404.
  const gone = loaded.status === 'ready' && !artwork
  useEffect(() => {
    if (!gone) return
    if (opened) history.back()
    else void navigate({ ...homeOf(list), replace: true })
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once: going Back twice would leave the page
  }, [gone])
  return artwork ? <OpenArtwork artwork={artwork} loaded={loaded} artworks={artworks} /> : null
}

/** Where an artwork that was opened from that list is closed to. */
function homeOf(list: ArtworkList | undefined) {
  const category = categoryOf(list)
  return { to: '/', search: category === null ? {} : { category }, resetScroll: false } as const
}

type OpenArtworkProps = {
  artwork: PageArtwork
  loaded: Loadable<unknown>
  artworks: readonly PageArtwork[]
}

function OpenArtwork({ artwork, loaded, artworks }: OpenArtworkProps) {
  const { isPublic } = useDocumentFacts()
  const site = dataOf(usePageList('site-content'), null)
  const description = useDescription(artwork.id, artwork.description)
  const { history } = useRouter()
  const navigate = useNavigate()
  const askAbout = useAskAbout()
  const hydrated = useHydrated()
  const state = useLocation({ select: (location) => location.state })
  // What the server cannot know must not differ at hydration.
  const list = hydrated ? state.list : undefined

  useEffect(() => {
    document.title = artworkTitle(artwork, site)
    return () => {
      document.title = homeTitle(site)
    }
  }, [artwork, site])

  useEffect(() => {
    keepOwnPlace()
    return () => restorePlaces()
  }, [])

  const show = (id: string): void => {
    const next = artworks.find((each) => each.id === id)
    if (!next) return
    void navigate({
      to: '/artwork/$slugAndId',
      params: { slugAndId: slugAndId(next) },
      search: true,
      state: (before) => before,
      replace: true,
      resetScroll: false,
    })
  }
  const home = homeOf(state.list)

  return (
    <ArtworkOverlay
      artwork={artwork}
      artist={artistNameOf(site)}
      description={description}
      loaded={loaded}
      list={artworksOf(list, artworks, artwork.id)}
      contact={{ email: contactEmailOf(site, isPublic), whatsapp: site?.contactWhatsapp ?? '' }}
      openedFrom={list?.kind === 'featured' ? 'featured' : 'gallery'}
      onShow={show}
      onClose={() => {
        if (state.opened) history.back()
        else void navigate(home)
      }}
      onEnquire={(id) => {
        const asked = artworks.find((each) => each.id === id)
        if (asked) {
          askAbout({ id: asked.id, title: asked.title })
          beginMessage(asked.title)
        }
        const write = (replace: boolean): void => void navigate({ ...home, hash: 'contact', replace })
        // The message takes the place of the artwork in the history, so that Back leads to the wall.
        if (!state.opened) {
          write(true)
          return
        }
        window.addEventListener('popstate', () => restorePlaces(() => write(false)), { once: true })
        history.back()
      }}
    />
  )
}

/**
 * The description of an open artwork, which the document of a big gallery leaves out.
 * @param known as the document brought it
 */
function useDescription(id: string, known: string | null): Loadable<string> {
  const asked = useQuery({
    queryKey: [PAGE, 'artworks', id],
    queryFn: async ({ signal }) => {
      const { call } = await import('../lib/api.ts')
      return (await call(getArtwork, { params: { id }, signal })).description
    },
    enabled: known === null,
  })
  return known === null ? loadable(asked) : { status: 'ready', data: known, outdated: null }
}
