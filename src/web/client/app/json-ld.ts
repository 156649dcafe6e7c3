import type {
  BreadcrumbList,
  Graph,
  ImageObject,
  ItemList,
  Offer,
  Person,
  Product,
  Thing,
  VisualArtwork,
  WebSite,
} from 'schema-dts'
import type { Artwork } from '#web/contract/artworks.ts'
import { detailsInWords } from '#web/contract/details.ts'
import type { PageData, RenderInput } from '#web/contract/pages.ts'
import { absolute, artworkPath } from '#web/contract/artwork-address.ts'
import { sidesIn } from '../artworks/inches.ts'
import { artistNameOf } from '../lib/page-data.ts'

/** What search engines are told in schema.org's words: artist, site and gallery; per artwork what is on offer. */
export function jsonLdOf({ page, data, publicUrl }: RenderInput): Graph | null {
  if (page.kind === 'home')
    return graph([person(data, publicUrl), site(data, publicUrl), gallery(data, publicUrl)])
  if (page.kind !== 'artwork') return null
  const artwork = data.artworks.find((each) => each.id === page.id)
  if (!artwork) return null
  return graph([
    person(data, publicUrl),
    artworkOf(artwork, data, publicUrl),
    breadcrumbs(artwork, data, publicUrl),
  ])
}

function graph(things: Thing[]): Graph {
  return { '@context': 'https://schema.org', '@graph': things }
}

const artistId = (publicUrl: string): string => `${publicUrl}/#artist`

function person({ siteContent }: PageData, publicUrl: string): Person {
  return {
    '@type': 'Person',
    '@id': artistId(publicUrl),
    name: artistNameOf(siteContent),
    url: `${publicUrl}/`,
    jobTitle: 'Artist',
    ...(siteContent.artistBio ? { description: siteContent.artistBio } : {}),
    ...(siteContent.profileImageUrl ? { image: absolute(siteContent.profileImageUrl, publicUrl) } : {}),
    ...(siteContent.contactEmail ? { email: siteContent.contactEmail } : {}),
    ...(siteContent.blogUrl ? { sameAs: [siteContent.blogUrl] } : {}),
  }
}

function site({ siteContent }: PageData, publicUrl: string): WebSite {
  return {
    '@type': 'WebSite',
    '@id': `${publicUrl}/#site`,
    url: `${publicUrl}/`,
    name: artistNameOf(siteContent),
    inLanguage: 'en-IN',
    author: { '@id': artistId(publicUrl) },
  }
}

function gallery({ artworks }: PageData, publicUrl: string): ItemList {
  return {
    '@type': 'ItemList',
    name: 'Gallery',
    numberOfItems: artworks.length,
    itemListElement: artworks.map((artwork, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name: artwork.title,
      url: `${publicUrl}${artworkPath(artwork)}`,
    })),
  }
}

function breadcrumbs(artwork: Artwork, { siteContent }: PageData, publicUrl: string): BreadcrumbList {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: [
      { '@type': 'ListItem', position: 1, name: artistNameOf(siteContent), item: `${publicUrl}/` },
      { '@type': 'ListItem', position: 2, name: artwork.title },
    ],
  }
}

/** An artwork on offer is a product too; price on request and not for sale are artworks alone. */
function artworkOf(artwork: Artwork, data: PageData, publicUrl: string): VisualArtwork | Product {
  const described = {
    '@id': `${publicUrl}${artworkPath(artwork)}#work`,
    name: artwork.title,
    url: `${publicUrl}${artworkPath(artwork)}`,
    ...(artwork.description ? { description: artwork.description } : {}),
    ...(artwork.imageUrl ? { image: imageOf(artwork, data, publicUrl) } : {}),
  }
  const art = {
    creator: { '@id': artistId(publicUrl) },
    copyrightHolder: { '@id': artistId(publicUrl) },
    ...(artwork.medium ? { artMedium: artwork.medium } : {}),
    ...(artwork.category ? { genre: artwork.category } : {}),
    ...(artwork.yearCreated === null
      ? {}
      : { dateCreated: String(artwork.yearCreated), copyrightYear: artwork.yearCreated }),
    ...sizeOf(artwork.dimensions),
  }
  const offer = offerOf(artwork, publicUrl)
  if (!offer) return { '@type': 'VisualArtwork', ...described, ...art }
  // One thing of two types is right in JSON-LD; the library's types know one type a thing.
  return {
    '@type': ['Product', 'VisualArtwork'],
    ...described,
    ...art,
    ...detailProperties(artwork),
    offers: offer,
  } as unknown as Product
}

/** What a buyer asks of what is on offer: schema.org has such properties for products alone. */
function detailProperties(artwork: Artwork): object {
  const facts = detailsInWords(artwork).map(({ label, words }) => ({
    '@type': 'PropertyValue',
    name: label,
    value: words,
  }))
  return facts.length === 0 ? {} : { additionalProperty: facts }
}

function imageOf(artwork: Artwork, { siteContent }: PageData, publicUrl: string): ImageObject {
  return {
    '@type': 'ImageObject',
    contentUrl: absolute(artwork.imageUrl, publicUrl),
    creator: { '@id': artistId(publicUrl) },
    creditText: artistNameOf(siteContent),
    copyrightNotice: `© ${artistNameOf(siteContent)}`,
    ...(artwork.image && sizeIn('E37', artwork.image.width, artwork.image.height)),
  }
}

/** @param unitCode of UN/CEFACT: `E37` is a pixel, `CMT` a centimetre */
function sizeIn(unitCode: 'E37' | 'CMT', width: number, height: number, depth?: number) {
  const quantity = (value: number) => ({ '@type': 'QuantitativeValue', value, unitCode }) as const
  return {
    width: quantity(width),
    height: quantity(height),
    ...(depth === undefined ? {} : { depth: quantity(depth) }),
  }
}

const AVAILABILITY = {
  for_sale: 'https://schema.org/InStock',
  reserved: 'https://schema.org/Reserved',
  sold: 'https://schema.org/SoldOut',
} as const

function offerOf(artwork: Artwork, publicUrl: string): Offer | null {
  if (artwork.price <= 0 || artwork.saleStatus === 'not_for_sale') return null
  return {
    '@type': 'Offer',
    // A plain number as text: neither sign nor commas.
    price: String(artwork.price),
    priceCurrency: 'INR',
    availability: AVAILABILITY[artwork.saleStatus],
    itemCondition: 'https://schema.org/NewCondition',
    url: `${publicUrl}${artworkPath(artwork)}`,
    seller: { '@id': artistId(publicUrl) },
  }
}

/** Width, height and, of a sculpture, depth; nothing where the sides cannot be read. */
function sizeOf(dimensions: string): ReturnType<typeof sizeIn> | object {
  const [width, height, depth] = sidesIn(dimensions) ?? []
  return width === undefined || height === undefined ? {} : sizeIn('CMT', width, height, depth)
}
