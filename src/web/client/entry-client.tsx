import './styles/base.css'
import { hydrateRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { readBoot } from './app/boot.ts'
import { stateOf } from './lib/page-data.ts'
import { createPageStore } from './lib/page-store.ts'
import { createSessionStore } from './lib/session.ts'
import { makeRouter } from './router.tsx'

const boot = readBoot(document)
const session = createSessionStore(document.documentElement.hasAttribute('data-session'))
const store = createPageStore({
  ...(boot.data ? { initial: stateOf(boot.data) } : {}),
  whole: boot.described,
  loader: async () => (await import('./lib/page-queries.ts')).queryLoader,
})
const router = makeRouter()
await router.load()

const container = document.getElementById('app')
if (!container) throw new Error('The page has no #app')
hydrateRoot(container, <App router={router} store={store} session={session} contact={boot.contact} />)
if (session.get().status === 'loading') void session.refresh()
