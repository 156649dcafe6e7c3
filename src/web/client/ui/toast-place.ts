/** A rectangle on screen, in CSS pixels. */
export type Box = { left: number; top: number; right: number; bottom: number }

/** Something that a message should leave free; the heavier, the more it matters. */
export type Need = Box & { weight: number }

export type Size = { width: number; height: number }

export type ToastPlace = { left: number; top: number; cost: number }

const EDGE = 8
/** Between a message and what it makes way for. */
const GAP = 4
const STEP = 8

/**
 * Where a message covers least: at its home if that is free, else at the nearest place that is.
 * @param home its left upper corner where nothing is in its way
 * @param needs what should stay free
 * @param now where it lies already: it stays there as long as no place is better
 */
export function toastPlaceFor(
  size: Size,
  room: Box,
  home: { left: number; top: number },
  needs: readonly Need[],
  now: { left: number; top: number } | null = null,
): ToastPlace {
  const inRoomX = between(room.left + EDGE, room.right - EDGE - size.width)
  const inRoomY = between(room.top + EDGE, room.bottom - EDGE - size.height)
  const at = (left: number, top: number): ToastPlace => {
    const place = { left: inRoomX(left), top: inRoomY(top) }
    return { ...place, cost: costOf(place, size, needs) }
  }
  const start = at(home.left, home.top)
  const stays = now && at(now.left, now.top)
  if (stays?.cost === 0) return stays
  if (start.cost === 0) return start
  const lefts = [
    home.left,
    room.left,
    (room.left + room.right - size.width) / 2,
    ...needs.flatMap(({ left, right }) => [left - GAP - size.width, right + GAP]),
  ].map(inRoomX)
  const tops = [
    ...steps(room.top + EDGE, room.bottom - EDGE - size.height),
    ...needs.flatMap(({ top, bottom }) => [top - GAP - size.height, bottom + GAP]),
  ].map(inRoomY)
  let best = stays && stays.cost <= start.cost ? stays : start
  let far = best === stays ? 0 : distance(best, home)
  for (const top of new Set(tops)) {
    for (const left of new Set(lefts)) {
      const place = at(left, top)
      const way = distance(place, home)
      if (place.cost > best.cost || (place.cost === best.cost && way >= far)) continue
      best = place
      far = way
    }
  }
  return best
}

/** What lies below a message costs by how much of it is covered; its middle, where one presses, as much again. */
function costOf({ left, top }: { left: number; top: number }, size: Size, needs: readonly Need[]): number {
  const toast = { left, top, right: left + size.width, bottom: top + size.height }
  let cost = 0
  for (const need of needs) {
    const width = Math.min(toast.right + GAP, need.right) - Math.max(toast.left - GAP, need.left)
    const height = Math.min(toast.bottom + GAP, need.bottom) - Math.max(toast.top - GAP, need.top)
    if (width <= 0 || height <= 0) continue
    const part = (width * height) / ((need.right - need.left) * (need.bottom - need.top))
    cost += need.weight * (part + (holds(toast, need) ? 1 : 0))
  }
  return cost
}

function holds(box: Box, { left, top, right, bottom }: Box): boolean {
  const [x, y] = [(left + right) / 2, (top + bottom) / 2]
  return x >= box.left - GAP && x <= box.right + GAP && y >= box.top - GAP && y <= box.bottom + GAP
}

const between =
  (least: number, most: number) =>
  (value: number): number =>
    Math.round(Math.max(least, Math.min(most, value)))

function steps(from: number, to: number): number[] {
  return Array.from({ length: Math.max(1, Math.ceil((to - from) / STEP) + 1) }, (_, n) => to - n * STEP)
}

const distance = (a: { left: number; top: number }, b: { left: number; top: number }): number =>
  Math.abs(a.left - b.left) + Math.abs(a.top - b.top)
