import { colors } from '#web/contract/colors.ts'
import type { RenderInput, RenderOutput } from '#web/contract/pages.ts'
import { BOOT_ELEMENT, type Boot } from './boot.ts'
import { jsonForHtml } from './boot-of.ts'
import { escapeHtml } from '#web/contract/escape.ts'
import { headFactsOf, metaOf, siteNamesOf } from './head.ts'
import { jsonLdOf } from './json-ld.ts'
import { FACTS_ELEMENT, type Facts } from '../inline/facts.ts'
import { FONTS_ELEMENT } from '../inline/fonts.ts'

const NOTHING_MORE: RenderInput['assets']['artwork'] = { modules: [], styles: [] }

export type DocumentParts = {
  status: RenderOutput['status']
  /** what React rendered */
  body: string
  boot: Boot
  /** where the page stands; null for one that is none */
  address: string | null
  /** values per artwork, `artwork-styles.ts` */
  rules: string
}

/**
 * The whole document. Style and script texts are handed back beside it, because the policy names them by
 * hash; data blocks do not run and need none.
 */
export function documentOf(
  input: RenderInput,
  { status, body, boot, address, rules }: DocumentParts,
): RenderOutput {
  const { page, data, publicUrl, assets } = input
  const jsonLd = jsonLdOf(input)
  const extra = page.kind === 'artwork' ? assets.artwork : NOTHING_MORE
  const files = [...assets.styles, ...(page.kind === 'home' ? [] : assets.below), ...extra.styles]
  const shown = [...files.map(({ text }) => text), rules].filter((text) => text !== '')
  const scripts = assets.devHead === undefined ? [assets.inline] : []
  const head = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    metaOf(headFactsOf(input), siteNamesOf(data.siteContent)),
    // Links that a phone makes of numbers and addresses in her texts would keep the page from being hydrated.
    '<meta name="format-detection" content="telephone=no, date=no, email=no, address=no">',
    '<meta name="color-scheme" content="light dark">',
    `<meta name="theme-color" content="${colors.wall.light}" media="(prefers-color-scheme: light)">`,
    `<meta name="theme-color" content="${colors.wall.dark}" media="(prefers-color-scheme: dark)">`,
    assets.devHead ?? '',
    fontsOf(assets.fonts),
    ...shown.map((text) => `<style>${text}</style>`),
    // Never fetched: they tell the module loader that these sheets are here already.
    ...files.map(({ href }) => `<link rel="stylesheet" href="${escapeHtml(href)}" disabled>`),
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
    '<link rel="icon" href="/icon-192.png" type="image/png" sizes="192x192">',
    '<link rel="apple-touch-icon" href="/apple-touch-icon.png">',
    '<link rel="manifest" href="/manifest.webmanifest">',
    `<link rel="alternate" type="application/rss+xml" title="New works" href="${escapeHtml(publicUrl)}/feed.xml">`,
    `<script type="application/json" id="${FACTS_ELEMENT}">${jsonForHtml(factsOf(input, address))}</script>`,
    // It does not wait for the rest of the page: what is pressed at the first paint is held already.
    ...scripts.map((text) => `<script type="module" async>${text}</script>`),
    jsonLd ? `<script type="application/ld+json">${jsonForHtml(jsonLd)}</script>` : '',
  ].join('')
  const bootBlock = `<script type="application/json" id="${BOOT_ELEMENT}">${jsonForHtml(boot)}</script>`
  return {
    status,
    html: `<!doctype html><html lang="en-IN"><head>${head}</head><body><div id="app">${body}</div>${bootBlock}</body></html>`,
    styles: assets.fonts.text === '' ? shown : [assets.fonts.text, ...shown],
    scripts,
  }
}

/** What the script in the page must know of it. */
function factsOf({ page, data, assets }: RenderInput, address: string | null): Facts {
  const isShown = page.kind === 'home' || page.kind === 'artwork'
  const besides = { home: [], artwork: assets.artwork.modules, admin: assets.admin, 'not-found': [] }[
    page.kind
  ]
  return {
    modules: [...assets.scripts, ...besides],
    ahead:
      page.kind === 'home'
        ? [...assets.artwork.modules, ...assets.artwork.styles.map(({ href }) => href)]
        : [],
    address,
    version: isShown ? data.version : null,
  }
}

/** Faces that wait for the script to show them; where none runs the sheet is fetched. */
function fontsOf({ href, text }: RenderInput['assets']['fonts']): string {
  if (text === '') return ''
  const sheet = `<link rel="stylesheet" href="${escapeHtml(href)}">`
  return `<style id="${FONTS_ELEMENT}" media="not all">${text}</style><noscript>${sheet}</noscript>`
}
