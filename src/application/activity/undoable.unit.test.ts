import { expect, it } from 'vitest'
import { domainEvents } from '#domain/events.ts'
import { imageEvents } from '#domain/images/events.ts'
import { messageEvents } from '#domain/messages/events.ts'
import { canUndoCommand } from './undoable.ts'

it('every event can be undone but these: a new one is named here, or has its way back in the undo of its module', () => {
  const left = Object.keys(domainEvents).filter((type) => !canUndoCommand([type], 1))
  expect(left).toEqual([
    'ArtworkAdded',
    'ArtworkPictureCopied',
    'ArtworkPictureLinked',
    'CategoryAdded',
    'MediumAdded',
    'BlogPostImported',
    'BlogPostRevised',
    'BlogPostPictureCopied',
    'BlogPostKeyChanged',
    'BlogSyncStarted',
    'BlogSyncCompleted',
    'BlogSyncFailed',
    ...Object.keys(messageEvents),
    ...Object.keys(imageEvents),
  ])
})

it('a command can be undone when each of its events can; works are taken back that were added with others', () => {
  expect(canUndoCommand([], 1)).toBe(false)
  expect(canUndoCommand(['ArtworkPriceChanged', 'ArtworkHidden'], 1)).toBe(true)
  expect(canUndoCommand(['ArtworkPriceChanged', 'ArtworkPictureCopied'], 1)).toBe(false)
  expect(canUndoCommand(['ArtworkAdded'], 2)).toBe(true)
})
