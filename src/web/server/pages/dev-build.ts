import { z } from 'zod'
import type { PageAssets, PageRenderer } from '#web/contract/pages.ts'

/** The client as the pages need it, built or in the making. */
export interface ClientBuild {
  assets: PageAssets
  /** folder of the files that are served as they are, compressed forms beside them */
  clientFolder: string
  loadRenderer: () => Promise<PageRenderer>
}

const rendered = z.strictObject({
  status: z.literal([200, 404, 422]),
  html: z.string(),
  styles: z.array(z.string()),
  scripts: z.array(z.string()),
})
const names = z.strictObject({ title: z.string(), artist: z.string(), description: z.string() })

/** What React's hot reload wants to find before any of the screens, the fonts, and the script that a built page holds. */
const headInDevelopment = `<script type="module">
import RefreshRuntime from '/@react-refresh'
RefreshRuntime.injectIntoGlobalHook(window)
window.$RefreshReg$ = () => {}
window.$RefreshSig$ = () => (type) => type
window.__vite_plugin_react_preamble_installed__ = true
</script><script type="module" src="/@vite/client"></script><link rel="stylesheet" href="/src/web/client/styles/fonts.css"><script type="module" src="/src/web/client/inline/main.ts"></script>`

/**
 * The client while it is being worked on: nothing is built, the dev server (`build/dev.ts`) renders with the
 * newest sources and serves them to the browser. Pages are rendered anew for each request.
 * @param url where the dev server takes orders to render
 * @param clientFolder folder of files that are served as they are
 */
export const devClientBuild = (url: string, clientFolder: string): ClientBuild => {
  const order = async (name: keyof PageRenderer, input: unknown): Promise<unknown> => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name, input }),
    })
    if (!answer.ok) throw new Error(await answer.text())
    return answer.json()
  }
  return {
    clientFolder,
    assets: {
      build: 'dev',
      scripts: ['/src/web/client/entry-client.tsx'],
      styles: [],
      below: [],
      artwork: { modules: [], styles: [] },
      admin: [],
      fonts: { href: '', text: '' },
      inline: '',
      devHead: headInDevelopment,
    },
    loadRenderer: async () => ({
      render: async (input) => rendered.parse(await order('render', input)),
      siteNames: async (siteContent) => names.parse(await order('siteNames', siteContent)),
    }),
  }
}
