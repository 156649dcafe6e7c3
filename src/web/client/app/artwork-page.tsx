import { useLocation, useNavigate, useParams, useRouter } from '@tanstack/react-router'
import { useCallback, useEffect } from 'react'
import type { Artwork } from '#web/contract/artworks.ts'
import { ArtworkOverlay } from '../artwork/overlay.tsx'
import { contactEmailOf, dataOf, idInAddress, publicWorks, slugAndId } from '../lib/page-data.ts'
import { usePageStore, usePublicState } from '../lib/page-store.ts'
import { useAskAbout } from './ask-about.ts'
import { useHydrated } from './hydrated.ts'
import { restorePlaces } from './keep-place.ts'
import { useTakenOver } from './taken-over.ts'
import { homeTitle, workTitle } from './titles.ts'
import { categoryOf, type WorkList, worksOf } from './work-list.ts'

/** `/artwork/{slug}-{id}`: the work above the page it belongs to (decisions 36). */
export function ArtworkPage() {
  const { slugAndId: segment } = useParams({ from: '/site/artwork/$slugAndId' })
  const { history } = useRouter()
  const navigate = useNavigate()
  const { opened, list } = useLocation({ select: ({ state }) => state })
  const { artworks } = usePublicState()
  const works = publicWorks(dataOf(artworks, []))
  const id = idInAddress(segment)
  const work = works.find((each) => each.id === id)
  // The work was hidden or deleted meanwhile; a request for its address answers 404.
  const gone = artworks.status === 'ready' && !work
  useTakenOver()
  useEffect(() => {
    if (!gone) return
    if (opened) history.back()
    else void navigate({ ...homeOf(list), replace: true })
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once: going Back twice would leave the page
  }, [gone])
  return work ? <OpenWork work={work} works={works} /> : null
}

/** Where a work that was opened from that list is closed to. */
function homeOf(list: WorkList | undefined) {
  const category = categoryOf(list)
  return { to: '/', search: category === null ? {} : { category }, resetScroll: false } as const
}

function OpenWork({ work, works }: { work: Artwork; works: readonly Artwork[] }) {
  const store = usePageStore()
  const site = dataOf(usePublicState()['site-content'], null)
  const { history } = useRouter()
  const navigate = useNavigate()
  const askAbout = useAskAbout()
  const hydrated = useHydrated()
  const state = useLocation({ select: (location) => location.state })
  // What the server cannot know must not differ at hydration.
  const list = hydrated ? state.list : undefined

  useEffect(() => void store.complete(work.id), [store, work.id])
  useEffect(() => {
    document.title = workTitle(work, site)
    return () => {
      document.title = homeTitle(site)
    }
  }, [work, site])

  useEffect(() => () => restorePlaces(), [])

  const show = useCallback(
    (id: string) => {
      const next = works.find((each) => each.id === id)
      if (!next) return
      void navigate({
        to: '/artwork/$slugAndId',
        params: { slugAndId: slugAndId(next) },
        search: true,
        state: (before) => before,
        replace: true,
        resetScroll: false,
      })
    },
    [navigate, works],
  )
  const home = homeOf(state.list)

  return (
    <ArtworkOverlay
      work={work}
      description={store.describes(work.id) ? work.description : null}
      list={worksOf(list, works, work.id)}
      contact={{ email: contactEmailOf(site), whatsapp: site?.contactWhatsapp ?? '' }}
      openedFrom={list?.kind === 'featured' ? 'featured' : 'gallery'}
      onShow={show}
      onClose={() => {
        if (state.opened) history.back()
        else void navigate(home)
      }}
      onEnquire={(id) => {
        const asked = works.find((each) => each.id === id)
        if (asked) askAbout({ id: asked.id, title: asked.title })
        const write = (replace: boolean): void => void navigate({ ...home, hash: 'contact', replace })
        // The letter takes the place of the work in the history, so that Back leads to the wall.
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
