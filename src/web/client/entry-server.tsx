import { createMemoryHistory } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'
import type { PageRenderer } from '#web/contract/pages.ts'
import { App } from './app/app.tsx'
import { bootOf } from './app/boot.ts'
import { documentOf } from './app/document.ts'
import { NotFoundPage } from './app/not-found-page.tsx'
import { siteNamesOf } from './app/head.ts'
import { artistNameOf, stateOf } from './lib/page-data.ts'
import { createPageStore } from './lib/page-store.ts'
import { createSessionStore } from './lib/session.ts'
import { artworkRules } from './lib/artwork-styles.ts'
import { makeRouter } from './router.tsx'

/** Renders one page as a whole document. Throws when a screen does: there is no half page. */
export const render: PageRenderer['render'] = async (input) => {
  const { page, data, contact = null, publicUrl } = input
  if (page.kind === 'not-found') {
    const boot = { kind: 'not-found', artistName: artistNameOf(data.siteContent) } as const
    const body = renderToString(<NotFoundPage artistName={boot.artistName} />)
    return documentOf(input, { status: 404, body, boot, rules: '' })
  }
  const boot = bootOf(page, data, contact, publicUrl)
  const store = createPageStore({
    isPublic: boot.isPublic,
    ...(boot.data ? { initial: stateOf(boot.data) } : {}),
    whole: boot.described,
    loader: () => Promise.reject(new Error('A page is rendered from the data it was given')),
  })
  const router = makeRouter(createMemoryHistory({ initialEntries: [boot.address] }))
  await router.load()
  const body = renderToString(
    <App
      router={router}
      store={store}
      session={createSessionStore(false)}
      contact={contact}
      pictures={boot.data?.pictures ?? {}}
    />,
  )
  return documentOf(input, {
    status: contact?.status === 'refused' ? 422 : 200,
    body,
    boot,
    rules: page.kind === 'admin' ? '' : artworkRules(data.artworks),
  })
}

export const siteNames: PageRenderer['siteNames'] = siteNamesOf
