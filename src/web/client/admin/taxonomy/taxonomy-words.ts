export const TAXONOMY_WORDS = {
  name: 'Name',
  description: 'Description',
  sortOrder: 'Sort order',
  active: 'Active',
  inactive: 'Inactive',
  usedBy: (count: number) => (count === 1 ? 'used by 1 work' : `used by ${count} works`),
  deleteUsed: (count: number) =>
    count === 1
      ? '1 work uses this name and keeps it as text.'
      : `${count} works use this name and keep it as text.`,
  renameUsed: (count: number) =>
    count === 1
      ? 'A new name goes to 1 work that uses it.'
      : `A new name goes to ${count} works that use it.`,
} as const
