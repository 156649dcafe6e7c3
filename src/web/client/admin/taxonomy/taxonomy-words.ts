export const TAXONOMY_WORDS = {
  title: 'Categories & Mediums',
  name: 'Name',
  nameMissing: 'Name is required',
  description: 'Description',
  sortOrder: 'Sort order',
  sortOrderHint: 'Lower numbers come first.',
  active: 'Active',
  inactive: 'Inactive',
  offered: 'Offered in pickers',
  order: (value: number) => `order ${value}`,
  usedBy: (count: number) => (count === 1 ? 'used by 1 work' : `used by ${count} works`),
  deleteQuestion: (name: string) => `Delete “${name}”?`,
  deleteUsed: (count: number) =>
    count === 1
      ? '1 work uses this name and keeps it as text.'
      : `${count} works use this name and keep it as text.`,
  deleteUnused: 'No work uses it.',
  deleteKept: 'You can bring it back at any time: “Activity”, at the top, has an Undo.',
  renameUsed: (count: number) =>
    count === 1
      ? 'A new name goes to 1 work that uses it.'
      : `A new name goes to ${count} works that use it.`,
  deleting: 'Deleting...',
  adding: 'Adding...',
} as const
