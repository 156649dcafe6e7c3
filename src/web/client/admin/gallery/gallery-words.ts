/** Texts of the Gallery tab: the specification's word for word, and those it leaves open. */
import type { SaleStatus } from '#web/contract/artworks.ts'
import { TEXT } from '../../lib/constants.ts'
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
  pictureFailed: 'The picture could not be prepared',

  edit: 'Edit',
  hide: 'Hide',
  show: 'Show',
  more: 'More',
  saleStatus: 'Sale status',
  addLikeThis: 'Add another like this',
  openOnSite: 'Open on the site',
  history: 'What happened to it',

  tools: 'More about the gallery',
  arrange: 'Arrange',
  arrangeHint: 'Drag the pictures, or use the arrows. Every move is saved at once.',
  moveFirst: 'Move to first',
  moveUp: 'Move up',
  moveDown: 'Move down',
  moveLast: 'Move to last',

  several: 'Add several',
  severalTitle: 'Add several artworks',
  severalHint:
    'Each picture becomes a draft: not on the website, price ₹0, its title from the file. Edit it and switch on “Show on website” when it is ready.',
  severalChoose: 'Choose pictures',
  severalDrop: 'or drop them here. PNG or JPG, at most 25 MB each',
  severalStop: 'Cancel the rest',
  severalDone: 'Done',
  fileWaiting: 'Waiting',
  fileAdding: 'Adding...',
  fileAdded: 'Added as a draft',
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
  currentPicture: 'Current picture',
  preview: 'Preview',

  fieldImage: 'Image',
  yes: 'Yes',
  no: 'No',
  fieldTitle: 'Title',
  fieldDescription: 'Description',
  fieldPrice: 'Price (₹)',
  fieldPriceHint: 'Price in rupees',
  fieldPriceZero: '₹0 means: Price on request on the site.',
  fieldYear: 'Year',
  fieldCategory: 'Category',
  fieldMedium: 'Medium',
  fieldDimensions: 'Dimensions',
  fieldDimensionsHint: '122 × 81 cm',
  fieldAvailable: 'Available',
  fieldFeatured: 'Featured',
  fieldVisible: 'Show on website',
  fieldAlt: 'Alt text',
  fieldAltHint: 'What the picture shows, for people who cannot see it.',
  fieldQr: 'Payment QR code',
  fieldQrHint: 'Made by itself from your UPI settings. Give a picture only for a code from your bank.',
  fieldQrUpload: 'Upload QR code',
  fieldQrRemove: 'Remove QR code',
  moreFields: 'More details',
  noCategory: 'No category',
  noMedium: 'No medium',
  gone: 'This artwork was deleted meanwhile. Restore it from “Recently deleted” first.',
} as const

export const SALE_STATUS_WORDS: Readonly<Record<SaleStatus, string>> = {
  for_sale: 'For sale',
  reserved: TEXT.reserved,
  sold: TEXT.sold,
  not_for_sale: TEXT.notForSale,
}

/** Toasts beyond the catalogue, for what the specification does not know. */
export const GALLERY_TOASTS = {
  restored: success('Artwork restored successfully.'),
  restoreFailed: failure('Failed to restore artwork.'),
  draftsAdded: (count: number) =>
    success(count === 1 ? 'Artwork added successfully.' : `${count} artworks added as drafts.`),
} as const

/** "12 artworks", in the specification's one form for every number. */
export const countOfWorks = (count: number): string => `(${count} artworks)`

/** "3 of 12 shown", read out while searching. */
export const shownOf = (shown: number, all: number): string => `${shown} of ${all} shown`

/** What a screen reader hears after a move; `place` counts from 1. */
export const movedTo = (title: string, place: number, of: number): string =>
  `${title} moved to place ${place} of ${of}.`

/** The place of a category that is switched off but still stands on the work (decisions 10). */
export const inactiveName = (name: string): string => `${name} (inactive)`
