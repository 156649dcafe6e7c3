import Router from '@koa/router'
import { add } from '#application/artworks/add.ts'
import { apply } from '#projections/artworks/view.ts'
import { artwork } from '#web/contract/artworks.ts'

export const parts = [Router, add, apply, artwork]
