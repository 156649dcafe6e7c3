import type { SaleStatus } from '#web/contract/artworks.ts'

/** In the order in which a work usually goes through them. The contract's own list would bring zod along. */
export const saleStatuses: readonly SaleStatus[] = ['for_sale', 'reserved', 'sold', 'not_for_sale']
