import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouterHistory,
} from '@tanstack/react-router'
import { HomePage } from './app/home-page.tsx'
import { ErrorPage, ErrorAbovePage } from './app/error-page.tsx'
import type { ArtworkList } from './app/artwork-list.ts'

const rootRoute = createRootRoute({
  notFoundComponent: lazyRouteComponent(() => import('./app/not-found-page.tsx'), 'NotFoundRoute'),
})

/** The one page of the site. It stays mounted while an artwork opens above it. */
const siteRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'site',
  component: HomePage,
  // Only says what may stand there: whatever else an address says stays in it untouched (campaign marks and the like),
  // and `app/home-page.tsx` reads which filter is meant.
  validateSearch: ({ category }: Record<string, unknown>): { category?: string } =>
    typeof category === 'string' ? { category } : {},
})

const homeRoute = createRoute({ getParentRoute: () => siteRoute, path: '/' })

const artworkRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: '/artwork/$slugAndId',
  // A chunk of its own: `/` loads it at the first sign of interest, `/artwork/…` at once.
  component: lazyRouteComponent(() => import('./app/artwork-page.tsx'), 'ArtworkPage'),
  errorComponent: ErrorAbovePage,
})

const adminRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin',
  component: lazyRouteComponent(() => import('./app/admin-page.tsx'), 'AdminPage'),
})

const routeTree = rootRoute.addChildren([siteRoute.addChildren([homeRoute, artworkRoute]), adminRoute])

/** The site's router; `history` is the browser's own unless given (the server renders from a memory history). */
export function makeRouter(history?: RouterHistory) {
  const router = createRouter({
    routeTree,
    ...(history ? { history } : {}),
    // Plain text values, as forms and people write them: `?category=Still+Life`, never quoted JSON.
    // Of what is said twice the first counts, as on the server.
    parseSearch: (text) => {
      const params = new URLSearchParams(text)
      return Object.fromEntries([...params.keys()].map((name) => [name, params.get(name)]))
    },
    stringifySearch: (search) => {
      const text = new URLSearchParams(
        Object.entries(search).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])),
      ).toString()
      return text === '' ? '' : `?${text}`
    },
    defaultPreload: false,
    defaultErrorComponent: ErrorPage,
  })
  // Server and browser must build the same tree; the browser would wrap it once more without this mark.
  router.ssr = { manifest: undefined }
  // The router never scrolls: it would throw whoever reads already back to the top when the page is taken over, and
  // lose the place on the wall when an artwork closes. Anchors, reload and Back are the browser's own. Set only here,
  // because the option given at creation would also turn the browser's restoration off.
  router.options.scrollRestoration = () => false
  return router
}

type AppRouter = ReturnType<typeof makeRouter>

declare module '@tanstack/react-router' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- it is added to the library's own
  interface Register {
    router: AppRouter
  }
  // oxlint-disable-next-line typescript/consistent-type-definitions -- it is added to the library's own
  interface HistoryState {
    list?: ArtworkList
    /** the artwork was opened on this page, so that Back leads to it */
    opened?: boolean
    /** the dashboard lies above the page */
    dashboard?: boolean
  }
}
