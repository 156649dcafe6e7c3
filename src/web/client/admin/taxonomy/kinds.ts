import {
  addCategory,
  addMedium,
  changeCategory,
  changeMedium,
  deleteCategory,
  deleteMedium,
  listCategories,
  listMediums,
  moveCategory,
  moveMedium,
} from '#web/contract/addresses.ts'
import type { QueryKey } from '@tanstack/react-query'
import { failureToast, successToast } from '../admin-constants.ts'
import { keyOf } from '../lib/stale.ts'

/** What differs between categories and mediums: the calls, the list's key and the words, which are made of the name. */
const kindOf = <Calls>(calls: Calls, key: QueryKey, one: string, many: string) => {
  const name = one.toLowerCase()
  return {
    calls,
    key,
    one,
    heading: many,
    empty: `No ${many.toLowerCase()} found. Add your first ${name}!`,
    add: `Add ${one}`,
    edit: `Edit ${one}`,
    update: `Update ${one}`,
    delete: `Delete ${one}`,
    created: successToast(`${one} created successfully.`),
    updated: successToast(`${one} updated successfully.`),
    deleted: successToast(`${one} deleted successfully.`),
    createFailed: failureToast(`Failed to create ${name}`),
    updateFailed: failureToast(`Failed to update ${name}`),
    deleteFailed: failureToast(`Failed to delete ${name}`),
    /** said in the dialog when it was deleted elsewhere meanwhile */
    gone: `This ${name} was deleted meanwhile. What you typed stays here until you close this.`,
  }
}

const CALLS = {
  category: { add: addCategory, change: changeCategory, move: moveCategory, delete: deleteCategory },
  medium: { add: addMedium, change: changeMedium, move: moveMedium, delete: deleteMedium },
} as const
type Calls = (typeof CALLS)[TermField]

/** The field of an artwork that bears a name of the set. */
export type TermField = keyof typeof CALLS
export const KINDS = {
  category: kindOf<Calls>(CALLS.category, keyOf(listCategories, {}), 'Category', 'Categories'),
  medium: kindOf<Calls>(CALLS.medium, keyOf(listMediums, {}), 'Medium', 'Mediums'),
}
