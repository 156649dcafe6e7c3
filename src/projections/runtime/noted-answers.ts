import type { Documents } from '#application/kernel/ports/documents.ts'

/**
 * The same documents, and when they last answered anybody: who waits can tell an engine that is slow from one that is silent.
 * @returns `heardAt`: on the clock of `performance.now()`; 0 before the first answer
 */
export const noteAnswers = (
  documents: Documents,
): { readonly documents: Documents; readonly heardAt: () => number } => {
  let heardAt = 0
  const noted = async <T>(asked: Promise<T>): Promise<T> => {
    const answer = await asked
    heardAt = performance.now()
    return answer
  }
  return {
    documents: {
      ...documents,
      get: (view, id) => noted(documents.get(view, id)),
      getMany: (view, ids) => noted(documents.getMany(view, ids)),
      find: (view, query) => noted(documents.find(view, query)),
      findStored: (view, query) => noted(documents.findStored(view, query)),
    },
    heardAt: () => heardAt,
  }
}
