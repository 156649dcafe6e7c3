import { expect, it, vi } from 'vitest'
import { makePageData } from '#web/contract/testing/make-page-data.ts'
import { openSnapshots } from './rendering.ts'

const versionAt = (place: number): string => `artworks@1:${String(place).padStart(4, '0')}`

const openReading = () => {
  const read: string[] = []
  const goOn: (() => void)[] = []
  const snapshots = openSnapshots(async (version) => {
    read.push(version)
    await new Promise<void>((resolve) => goOn.push(resolve))
    return makePageData(1)
  })
  const at = (place: number, askedAt = performance.now()) => snapshots.at(versionAt(place), askedAt)
  /** Lets the reading with this number come. */
  const come = async (nth: number): Promise<void> => {
    await expect.poll(() => goOn).toHaveLength(nth)
    goOn[nth - 1]?.()
  }
  return { read, snapshots, at, come }
}

it('is read one time after the other while the site changes, and each asks for one that begins behind it', async () => {
  const { read, snapshots, at, come } = openReading()
  const askedAt = performance.now()
  const asked = [at(1), at(2), at(4), at(3, askedAt), at(1)]
  await come(1)
  await come(2)
  asked.push(at(4))
  const versions = (await Promise.all(asked)).map(({ version }) => version)
  expect(versions).toEqual([1, 4, 4, 1, 1, 4].map(versionAt))
  expect(read).toEqual([1, 4].map(versionAt))
  expect(snapshots.newest()?.version).toBe(versionAt(4))
  expect((await at(3, askedAt)).version).toBe(versionAt(4))
})

it('is read anew for who asks behind an older copy of the site that was put back', async () => {
  const { at, come } = openReading()
  const asked = [at(8), at(4)]
  await come(1)
  await come(2)
  expect((await Promise.all(asked)).map(({ version }) => version)).toEqual([8, 4].map(versionAt))
  const again = at(2)
  await come(3)
  expect((await again).version).toBe(versionAt(2))
})

it('is read anew behind one that failed, and beside one that does not come', async () => {
  vi.useFakeTimers()
  try {
    const read = vi
      .fn<() => Promise<ReturnType<typeof makePageData>>>()
      .mockRejectedValueOnce(new Error('away'))
      .mockReturnValueOnce(new Promise(() => undefined))
      .mockResolvedValueOnce(makePageData(1))
    const snapshots = openSnapshots(read)
    await expect(snapshots.at(versionAt(1), 0)).rejects.toThrow('away')
    void snapshots.at(versionAt(1), 0)
    const late = snapshots.at(versionAt(2), 0)
    await vi.advanceTimersByTimeAsync(1_000)
    expect((await late).version).toBe(versionAt(2))
  } finally {
    vi.useRealTimers()
  }
})
