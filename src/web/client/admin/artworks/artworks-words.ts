/** Texts of the Gallery tab: the specification's word for word, and those it leaves open. */
import type { SaleStatus, Artwork } from '#web/contract/artworks.ts'
import { saleStatuses } from '#web/contract/forms.ts'
import { imageMegabytes } from '#web/contract/limits.ts'
import * as TEXT from '../../lib/texts.ts'
import { failure, success } from '../admin-constants.ts'

export const GALLERY_WORDS = {
  title: 'Gallery Management',
  empty: 'No artworks found. Add your first artwork to get started!',
  add: 'Add New Artwork',
  addTitle: 'Add New Artwork',
  editTitle: 'Edit Artwork',
  addSubmit: 'Add Artwork',
  adding: 'Adding...',
  editSubmit: 'Update Artwork',
  updating: 'Updating...',
  imageMissing: 'Please upload an image or provide an image URL.',
  deleteTitle: 'Delete Artwork',
  deleteQuestion: 'Are you sure you want to delete this artwork? This action cannot be undone.',

  deleteKept:
    'You can bring it back at any time, with its picture: it waits under “Recently deleted” in this tab.',

  list: 'Artworks',
  search: 'Search artworks',
  searchHint: 'Search title, medium, year',
  anyState: 'All states',
  anyCategory: 'All categories',
  filterState: 'State',
  filterCategory: 'Category',
  nothingFound: 'No artwork fits this search.',
  showAll: 'Show all',

  available: 'Available',
  hidden: 'Hidden',
  notOnWebsite: 'Not on website',
  featured: TEXT.featuredBadge,
  onRequest: 'Price on request on the site',
  fromAnotherSite: 'Shown from another site',
  copying: 'Fetching the picture...',
  processing: 'Preparing the picture...',
  imageFailed: 'The picture could not be prepared',

  edit: 'Edit',
  publish: 'Publish',
  publishShown: (count: number) => `Publish these ${count}`,
  publishing: 'Publishing...',
  drafts: 'These are not on the website yet.',
  notAmongThree: 'Not among the three on the site',
  hide: 'Hide',
  show: 'Show',
  more: 'More',
  saleStatus: 'Sale status',
  addLikeThis: 'Add another like this',
  openOnSite: 'Open on the site',
  history: 'What happened to it',

  tools: 'More about the gallery',
  arrangeHint: 'Drag the pictures, or use the arrows. Every move is saved at once.',

  several: 'Add several',
  severalTitle: 'Add several artworks',
  severalHint:
    'Each picture becomes a draft: not on the website, price ₹0, its title from the file. Edit it and switch on “Show on website” when it is ready.',
  severalChoose: 'Choose pictures',
  severalDrop: `or drop them here. PNG or JPG, at most ${imageMegabytes} MB each`,
  severalStop: 'Cancel the rest',
  severalDone: 'Done',
  severalLeave: {
    title: 'Still uploading',
    text: 'What has arrived is kept as drafts; the rest is not sent. Leave?',
    stay: 'Keep uploading',
    go: 'Leave',
  },
  fileWaiting: 'Waiting',
  fileAdding: 'Adding...',
  fileAdded: 'Added as a draft',
  filePublished: 'On the website',
  fileGone: 'Taken back',
  fileCancelled: 'Cancelled',
  dropHere: 'Drop pictures to add them',

  deleted: 'Recently deleted',
  deletedEmpty: 'Nothing has been deleted.',
  deletedAt: 'Deleted',
  restore: 'Restore',
  restoring: 'Restoring...',
  inventory: 'Inventory (CSV)',

  imageSource: 'Image source',
  keepCurrent: 'Keep current',
  uploadFile: 'Upload File',
  imageUrl: 'Image URL',
  uploadNewFile: 'Upload new file',
  newUrl: 'New URL',
  currentImage: 'Current picture',
  preview: 'Preview',

  yes: 'Yes',
  no: 'No',
  fieldPriceHint: 'Price in rupees',
  fieldPriceZero: '₹0 means: Price on request on the site.',
  fieldDimensionsHint: '122 × 81 cm',
  fieldAvailableHint: 'Off hides it for a while; its card says “Hidden”.',
  fieldFeaturedHint: 'The first three featured works stand at the top of the site.',
  fieldVisibleHint: 'Off keeps it as a draft; its card says “Not on website”.',
  fieldAltHint: 'What the picture shows, for people who cannot see it.',
  fieldQrHint: 'Made by itself from your UPI settings. Give a picture only for a code from your bank.',
  fieldQrUpload: 'Upload QR code',
  fieldQrRemove: 'Remove QR code',
  moreFields: 'More details',
  noCategory: 'No category',
  noMedium: 'No medium',
  addName: (name: string) => `Add “${name}”`,
  nameUnknown: (name: string) => `“${name}” is not in the list yet: add it there, or choose another one.`,
  nameOff: (name: string) =>
    `“${name}” is switched off: switch it on under Categories, or choose another one.`,
  gone: 'This artwork was deleted meanwhile. Restore it from “Recently deleted” first.',
} as const

export const SALE_STATUS_WORDS: Readonly<Record<SaleStatus, string>> = {
  for_sale: 'For sale',
  reserved: TEXT.reserved,
  sold: TEXT.sold,
  not_for_sale: TEXT.notForSale,
}
export const SALE_STATUS_OPTIONS = saleStatuses.map((value) => ({ value, label: SALE_STATUS_WORDS[value] }))

/** Toasts beyond the catalogue, for what the specification does not know. */
export const GALLERY_TOASTS = {
  restored: success('Artwork restored successfully.'),
  restoreFailed: failure('Failed to restore artwork.'),
  published: (count: number) =>
    success(count === 1 ? 'Artwork visibility updated.' : `${count} artworks are on the website.`),
  notAllPublished: (count: number, reason: string) =>
    failure(`${count === 1 ? 'One artwork' : `${count} artworks`} could not be published. ${reason}`.trim()),
  draftsAdded: (count: number) =>
    success(count === 1 ? 'Artwork added successfully.' : `${count} artworks added as drafts.`),
} as const

/** "12 artworks", in the specification's one form for every number. */
export const countOfArtworks = (count: number): string => `(${count} artworks)`

/** "3 of 12 shown", read out while searching. */
export const shownOf = (shown: number, all: number): string => `${shown} of ${all} shown`

/** The place of a category that is switched off but still stands on the artwork. */
export const inactiveName = (name: string): string => `${name} (inactive)`

export type CardState = 'hidden' | 'unpublished' | 'sold' | 'reserved' | 'not_for_sale' | 'available'

/** The one state an artwork is in for its owner: the first that holds. */
export function cardStateOf({
  isAvailable,
  isVisible,
  saleStatus,
}: Pick<Artwork, 'isAvailable' | 'isVisible' | 'saleStatus'>): CardState {
  if (!isAvailable) return 'hidden'
  if (!isVisible) return 'unpublished'
  return saleStatus === 'for_sale' ? 'available' : saleStatus
}

/** The one word for it. */
export const CARD_STATE_WORDS: Readonly<Record<CardState, string>> = {
  hidden: GALLERY_WORDS.hidden,
  unpublished: GALLERY_WORDS.notOnWebsite,
  sold: SALE_STATUS_WORDS.sold,
  reserved: SALE_STATUS_WORDS.reserved,
  not_for_sale: SALE_STATUS_WORDS.not_for_sale,
  available: GALLERY_WORDS.available,
}
