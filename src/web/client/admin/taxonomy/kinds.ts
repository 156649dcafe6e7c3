import {
  addCategory,
  addMedium,
  changeCategory,
  changeMedium,
  deleteCategory,
  deleteMedium,
  moveCategory,
  moveMedium,
} from '#web/contract/addresses.ts'
import type { ToastText } from '../../lib/constants.ts'
import { TOASTS } from '../admin-constants.ts'
import { TAXONOMY_WORDS } from './taxonomy-words.ts'
import { KEYS } from '../lib/queries.ts'

export type TaxonomyKind = 'category' | 'medium'

const CALLS = {
  category: { add: addCategory, change: changeCategory, move: moveCategory, delete: deleteCategory },
  medium: { add: addMedium, change: changeMedium, move: moveMedium, delete: deleteMedium },
} as const

type KindTexts = {
  calls: (typeof CALLS)[TaxonomyKind]
  /** the key of its list */
  key: readonly string[]
  heading: string
  empty: string
  add: string
  edit: string
  update: string
  delete: string
  created: ToastText
  updated: ToastText
  deleted: ToastText
  /** said in the dialog when it was deleted elsewhere meanwhile */
  gone: string
  createFailed: ToastText
  updateFailed: ToastText
  deleteFailed: ToastText
}

/** What differs between categories and mediums: words and addresses, nothing else. */
export const KINDS: Record<TaxonomyKind, KindTexts> = {
  category: {
    calls: CALLS.category,
    key: KEYS.categories,
    heading: TAXONOMY_WORDS.categories,
    empty: TAXONOMY_WORDS.categoriesEmpty,
    add: TAXONOMY_WORDS.addCategory,
    edit: TAXONOMY_WORDS.editCategory,
    update: TAXONOMY_WORDS.updateCategory,
    delete: TAXONOMY_WORDS.deleteCategory,
    created: TOASTS.categoryCreated,
    updated: TOASTS.categoryUpdated,
    deleted: TOASTS.categoryDeleted,
    gone: TAXONOMY_WORDS.categoryGone,
    createFailed: TOASTS.categoryCreateFailed,
    updateFailed: TOASTS.categoryUpdateFailed,
    deleteFailed: TOASTS.categoryDeleteFailed,
  },
  medium: {
    calls: CALLS.medium,
    key: KEYS.mediums,
    heading: TAXONOMY_WORDS.mediums,
    empty: TAXONOMY_WORDS.mediumsEmpty,
    add: TAXONOMY_WORDS.addMedium,
    edit: TAXONOMY_WORDS.editMedium,
    update: TAXONOMY_WORDS.updateMedium,
    delete: TAXONOMY_WORDS.deleteMedium,
    created: TOASTS.mediumCreated,
    updated: TOASTS.mediumUpdated,
    deleted: TOASTS.mediumDeleted,
    gone: TAXONOMY_WORDS.mediumGone,
    createFailed: TOASTS.mediumCreateFailed,
    updateFailed: TOASTS.mediumUpdateFailed,
    deleteFailed: TOASTS.mediumDeleteFailed,
  },
}
