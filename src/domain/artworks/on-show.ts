import type { ArtworkFields } from './fields.ts'

/** Whether visitors see it. spec W-8 */
export const isOnShow = ({
  isVisible,
  isAvailable,
}: Pick<ArtworkFields, 'isVisible' | 'isAvailable'>): boolean => isVisible && isAvailable
