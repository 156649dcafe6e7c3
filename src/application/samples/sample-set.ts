import type { SaleStatus } from '#domain/artworks/fields.ts'
import type { SiteContentChanges } from '#domain/site-content/rules.ts'

/** One painting of the sample portfolio. `file` is its name among the sample images. */
export interface SampleArtwork {
  readonly file: string
  readonly title: string
  readonly medium: string
  readonly dimensions: string
  readonly yearCreated: number
  readonly price: number
  readonly category: string
  readonly description: string
  readonly altText: string
  readonly isFeatured?: true
  readonly saleStatus?: SaleStatus
}

export interface SamplePost {
  readonly key: string
  readonly title: string
  readonly content: string
  readonly publishedAt: string
  /** shown with this artwork's image */
  readonly file: string
}

/** The names of the gallery's filters, in their order. */
export const sampleCategories = [
  'Landscape',
  'Abstract',
  'Still Life',
  'Works on Paper',
  'Mixed Media',
] as const

/**
 * The twelve sample paintings, in the order in which they hang. Painted by a program that stands beside the
 * images; artist, titles and prices are invented.
 */
export const sampleArtworks: readonly SampleArtwork[] = [
  {
    file: 'lotus.jpg',
    title: 'Lotus Tank, Four O’Clock',
    medium: 'Oil on linen',
    dimensions: '122 × 91 cm',
    yearCreated: 2025,
    price: 140_000,
    category: 'Landscape',
    description:
      'Four in the afternoon, when the tank goes from green to tin. Painted wet in wet in two sittings, the flowers each in one breath.',
    altText: 'A pond of lotus leaves with pink flowers under late light',
  },
  {
    file: 'kajal.jpg',
    title: 'Kajal',
    medium: 'Ink on handmade paper',
    dimensions: '56 × 76 cm',
    yearCreated: 2025,
    price: 18_500,
    category: 'Works on Paper',
    description:
      'Lamp black, gum and one wide brush. The sheet was wet at the left edge and dry at the right.',
    altText: 'Broad black ink strokes on rough white paper',
  },
  {
    file: 'marigolds.jpg',
    title: 'Brass Lota with Genda',
    medium: 'Oil on canvas',
    dimensions: '61 × 76 cm',
    yearCreated: 2022,
    price: 52_000,
    category: 'Still Life',
    description:
      'The pot came from a scrap dealer in Bhuleshwar; the marigolds were a day old and better for it.',
    altText: 'Orange marigolds in a round brass pot',
  },
  {
    file: 'nightbus.jpg',
    title: 'Night Bus to Nashik',
    medium: 'Acrylic on canvas',
    dimensions: '122 × 76 cm',
    yearCreated: 2024,
    price: 88_000,
    category: 'Landscape',
    description: 'Seat 22, by the window. Every light on the ghat road moves except the one that matters.',
    altText: 'Blurred lights on a dark road seen from a bus window',
  },
  {
    file: 'gulmohar.jpg',
    title: 'Gulmohar, Second Week of May',
    medium: 'Oil on canvas',
    dimensions: '76 × 101 cm',
    yearCreated: 2023,
    price: 85_000,
    category: 'Landscape',
    description:
      'The tree outside the municipal school flowers for nineteen days. This is the eleventh, at half past seven, before the sweepers come.',
    altText: 'A gulmohar tree in full red flower',
  },
  {
    file: 'yamuna.jpg',
    title: 'Low Water, Yamuna',
    medium: 'Watercolour on khadi paper',
    dimensions: '76 × 38 cm',
    yearCreated: 2022,
    price: 24_000,
    category: 'Works on Paper',
    description: 'Eleven washes and one correction. The boats belong to the sand-diggers, who had gone home.',
    altText: 'A wide pale river with sandbanks and boats',
    saleStatus: 'sold',
  },
  {
    file: 'indigo.jpg',
    title: 'Neel, after the Rains',
    medium: 'Natural indigo and geru on khadi',
    dimensions: '100 × 140 cm',
    yearCreated: 2025,
    price: 0,
    category: 'Abstract',
    description:
      'Fermented indigo on hand-spun khadi, dipped and dried nine times; the lower field is red earth from Kutch. The seam is sewn, not drawn.',
    altText: 'A field of deep indigo above a band of red earth',
    isFeatured: true,
  },
  {
    file: 'haldi.jpg',
    title: 'Haldi',
    medium: 'Acrylic and impasto on canvas',
    dimensions: '91 × 91 cm',
    yearCreated: 2025,
    price: 78_000,
    category: 'Abstract',
    description:
      'Turmeric yellow laid on with a plasterer’s trowel, then scraped back to the ground in seven places.',
    altText: 'A square of thick turmeric yellow with scraped marks',
    isFeatured: true,
  },
  {
    file: 'mangoes.jpg',
    title: 'Hapus, First Box',
    medium: 'Oil on board',
    dimensions: '61 × 46 cm',
    yearCreated: 2023,
    price: 42_000,
    category: 'Still Life',
    description:
      'The first box of the season, opened on newspaper. Two of the models were eaten before the second sitting.',
    altText: 'Ripe mangoes in a box with straw',
  },
  {
    file: 'letters.jpg',
    title: 'Letters to Indore',
    medium: 'Mixed-media collage on board',
    dimensions: '46 × 61 cm',
    yearCreated: 2024,
    price: 36_000,
    category: 'Mixed Media',
    description:
      'Envelopes, ledger paper and a strip of sari border. The handwriting is a great-grandmother’s and is meant to be seen, not read.',
    altText: 'A collage of torn envelopes and handwritten paper',
    saleStatus: 'reserved',
  },
  {
    file: 'monsoon.jpg',
    title: 'Monsoon over the Ghats',
    medium: 'Oil on canvas',
    dimensions: '122 × 81 cm',
    yearCreated: 2024,
    price: 96_000,
    category: 'Landscape',
    description:
      'Begun on the ridge above Amboli, in a car with the windows shut. The rain was scratched into the wet sky with the back of the brush; the road was found last.',
    altText: 'Dark rain clouds over green hills with a thin road',
    isFeatured: true,
  },
  {
    file: 'saltpans.jpg',
    title: 'Salt Pans, Little Rann',
    medium: 'Gouache and chalk on paper',
    dimensions: '40 × 50 cm',
    yearCreated: 2023,
    price: 28_000,
    category: 'Works on Paper',
    description: 'Noon, drawn with the eyes almost shut. The pink is there for twenty minutes.',
    altText: 'Pale pink and white squares of salt pans',
  },
]

/** The image of the sample artist, among the sample images. */
export const samplePortrait = 'portrait.jpg'

/** Texts of the sample site; fields that have good fallbacks stay unset. */
export const sampleTexts: SiteContentChanges = {
  artistName: 'Leela Marathe',
  artistBio:
    'Leela Marathe paints in a former printing press near Byculla station. She began with signboards, learnt to grind colour from a haldi merchant in Sangli, and has never quite accepted that oil is more serious than turmeric.',
  artistDescription:
    '<p>Her pictures start outdoors, in ink and gouache, and grow indoors over weeks of thick and thin. Rain, road and river return again and again, and so does the red thread that runs along the lower third of many canvases.</p>',
  artistQuote: 'A painting should cost less than the wall it changes.',
  quoteBulletPoint1: 'Works that a teacher or a nurse can buy and keep',
  quoteBulletPoint2: 'Pigment from the kitchen, the bazaar and the riverbank',
  quoteBulletPoint3: 'Saturday classes, open to everyone, always free',
  bioParagraph3:
    'Since 2009 she has priced her work so that it can leave the studio. Some four hundred pieces hang in flats, clinics, schools and one ferry office.',
  bioParagraph4:
    'She has written eleven books on drawing, colour and seeing, and teaches art skills for free every Saturday from ten to one.',
}

/** Three posts of its own, without an address outside, so that the journal is not empty at first sight. */
export const samplePosts: readonly SamplePost[] = [
  {
    key: 'torn-envelope',
    title: 'What a torn envelope knows that a fresh sheet does not',
    content:
      '<p>My grandmother kept every letter from Indore in a biscuit tin. This winter I began to cut them, slowly, and found that the gum on the flaps still held.</p><p>A fresh sheet asks what you want from it. A torn one has answered already.</p>',
    publishedAt: '2025-11-14T04:30:00.000Z',
    file: 'letters.jpg',
  },
  {
    key: 'turmeric',
    title: 'Turmeric is not a yellow',
    content:
      '<p>It is a smell, a wedding, a stain on the stone. Notes on grinding colour from the kitchen shelf.</p><p>Dry it in the shade. Never in the sun, whatever they tell you.</p>',
    publishedAt: '2025-10-02T04:30:00.000Z',
    file: 'haldi.jpg',
  },
  {
    key: 'little-rann',
    title: 'Three days in the Little Rann',
    content:
      '<p>At noon the pans turn pink and nobody can look for long. I drew with my eyes almost shut.</p><p>On the third day the salt workers lent me a straw hat and a better pencil.</p>',
    publishedAt: '2025-08-19T04:30:00.000Z',
    file: 'saltpans.jpg',
  },
]
