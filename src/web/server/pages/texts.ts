import { colors } from '#web/contract/colors.ts'
import { escapeHtml } from '#web/contract/escape.ts'
import type { PageData, SiteNames } from '#web/contract/pages.ts'
import { absolute, artworkPath } from '#web/contract/artwork-address.ts'

/** A text beside the pages, made from the same data and kept in the same way. */
export interface SiteText {
  contentType: string
  body: string
}

export interface TextInput {
  data: PageData
  publicUrl: string
  /** needs the screens' fallback texts, hence the renderer, which is loaded only for the texts that ask */
  names: () => Promise<SiteNames>
}

/** The newest artworks that the feed tells of. */
const feedLength = 20

/** The texts by path. */
export const siteTexts: Readonly<Record<string, (input: TextInput) => Promise<SiteText>>> = {
  '/robots.txt': async ({ publicUrl }) => ({
    contentType: 'text/plain; charset=utf-8',
    body: `User-agent: *\nDisallow: /admin\nDisallow: /api/\n\nSitemap: ${publicUrl}/sitemap.xml\n`,
  }),
  '/sitemap.xml': async (input) => ({
    contentType: 'application/xml; charset=utf-8',
    body: sitemapOf(input.data, input.publicUrl),
  }),
  '/feed.xml': async (input) => ({
    contentType: 'application/rss+xml; charset=utf-8',
    body: await feedOf(input),
  }),
  '/manifest.webmanifest': async ({ names }) => ({
    contentType: 'application/manifest+json; charset=utf-8',
    body: JSON.stringify(manifestOf(await names())),
  }),
}

const sitemapOf = ({ artworks, siteContent }: PageData, publicUrl: string): string => {
  const latest = artworks.reduce(
    (newest, { updatedAt }) => (updatedAt > newest ? updatedAt : newest),
    siteContent.updatedAt ?? '',
  )
  const pages = [
    { path: '/', changed: latest, images: artworks.slice(0, 1000).map((artwork) => artwork.imageUrl) },
    ...artworks.map((artwork) => ({
      path: artworkPath(artwork),
      changed: artwork.updatedAt,
      images: [artwork.imageUrl],
    })),
  ]
  const entries = pages.map(({ path, changed, images }) => {
    const listed = images
      .filter((image) => image !== '')
      .map(
        (image) =>
          `<image:image><image:loc>${escapeHtml(absolute(image, publicUrl))}</image:loc></image:image>`,
      )
    return `<url><loc>${escapeHtml(publicUrl + path)}</loc>${changed ? `<lastmod>${changed}</lastmod>` : ''}${listed.join('')}</url>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">\n${entries.join('\n')}\n</urlset>\n`
}

const feedOf = async ({ data, publicUrl, names }: TextInput): Promise<string> => {
  // Loaded when first asked for: most processes never serve a feed.
  const { generateRssFeed } = await import('feedsmith')
  const { artist, description } = await names()
  const newest = data.artworks.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt)).slice(0, feedLength)
  return generateRssFeed({
    title: `${artist}: new works`,
    link: `${publicUrl}/`,
    description,
    language: 'en-in',
    ...(newest[0] ? { lastBuildDate: new Date(newest[0].createdAt) } : {}),
    atom: { links: [{ href: `${publicUrl}/feed.xml`, rel: 'self', type: 'application/rss+xml' }] },
    items: newest.map((artwork) => {
      const link = `${publicUrl}${artworkPath(artwork)}`
      const facts = [artwork.medium, artwork.dimensions, artwork.yearCreated].filter(Boolean).join(', ')
      const image = artwork.imageUrl
        ? `<p><img src="${escapeHtml(absolute(artwork.imageUrl, publicUrl))}" alt="${escapeHtml(artwork.altText || artwork.title)}"></p>`
        : ''
      return {
        title: artwork.title,
        link,
        // The address changes with the title; the id never does.
        guid: { value: `urn:uuid:${artwork.id}`, isPermaLink: false },
        pubDate: new Date(artwork.createdAt),
        description: `${image}<p>${escapeHtml(facts)}</p>${artwork.description ? `<p>${escapeHtml(artwork.description)}</p>` : ''}`,
        ...(artwork.category ? { categories: [{ name: artwork.category }] } : {}),
      }
    }),
  })
}

const manifestOf = ({ artist, description }: SiteNames): object => {
  return {
    name: artist,
    short_name: artist.split(' ')[0] ?? artist,
    description,
    start_url: '/',
    display: 'browser',
    lang: 'en-IN',
    // A manifest knows one theme.
    background_color: colors.wall.light,
    theme_color: colors.wall.light,
    icons: [
      { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
      { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any maskable' },
    ],
  }
}
