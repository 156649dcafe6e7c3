import { createRootRoute, createRoute, createRouter, type RouterHistory } from '@tanstack/react-router'
const rootRoute = createRootRoute({ notFoundComponent: () => <p>nf</p> })
const siteRoute = createRoute({ getParentRoute: () => rootRoute, id: 'site', component: () => <main>home</main> })
const homeRoute = createRoute({ getParentRoute: () => siteRoute, path: '/' })
const artworkRoute = createRoute({ getParentRoute: () => siteRoute, path: '/artwork/$slugAndId' })
const adminRoute = createRoute({ getParentRoute: () => rootRoute, path: '/admin', component: () => <p>Loading...</p> })
const routeTree = rootRoute.addChildren([siteRoute.addChildren([homeRoute, artworkRoute]), adminRoute])
export function makeRouter(history?: RouterHistory) {
  return createRouter({ routeTree, ...(history ? { history } : {}) })
}
