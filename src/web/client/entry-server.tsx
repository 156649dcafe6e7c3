import { createMemoryHistory } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'
import type { PageRenderer } from '#web/contract/pages.ts'
import { App } from './app/app.tsx'
import { cacheOf } from './app/boot.ts'
import { addressOf, amountIn, bootOf } from './app/boot-of.ts'
import { documentOf } from './app/document.ts'
import { NotFoundPage } from './app/not-found-page.tsx'
import { siteNamesOf } from './app/head.ts'
import { artworkRules } from './lib/artwork-styles.ts'
import { artistNameOf } from './lib/page-data.ts'
import { makeRouter } from './router.tsx'

/** Renders one page as a whole document. Throws when a screen does: there is no half page. */
export const render: PageRenderer['render'] = async (input) => {
  const { page, data, contact = null } = input
  if (page.kind === 'not-found') {
    const boot = { kind: 'not-found', artistName: artistNameOf(data.siteContent) } as const
    const body = renderToString(<NotFoundPage artistName={boot.artistName} />)
    return documentOf(input, { status: 404, body, boot, address: null, rules: '' })
  }
  const boot = bootOf(page, data, contact, input)
  const address = addressOf(page, data)
  const router = makeRouter(createMemoryHistory({ initialEntries: [address] }))
  await router.load()
  const body = renderToString(
    <App router={router} queries={cacheOf(boot.lists)} facts={boot} images={boot.images} />,
  )
  return documentOf(input, {
    status: contact?.status === 'refused' ? 422 : 200,
    body,
    boot: { ...boot, amount: amountIn(body) },
    address,
    rules: page.kind === 'admin' ? '' : artworkRules(data.artworks),
  })
}

export const siteNames: PageRenderer['siteNames'] = siteNamesOf
