import { ANY } from '@eventstore/db-client'

export const expected = ANY
