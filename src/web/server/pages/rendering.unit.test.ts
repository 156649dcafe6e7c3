import { expect, it, vi } from 'vitest'
import { makePageData } from '#web/contract/testing/make-page-data.ts'
import { openSnapshots } from './rendering.ts'

const versionAt = (place: number): string => `artworks@1:${String(place).padStart(4, '0')}`

it('is read one time after the other while the site changes, and each asks for one that begins behind it', async () => {
  const read: string[] = []
  const goOn: (() => void)[] = []
  const snapshots = openSnapshots(async (version) => {
    read.push(version)
    await new Promise<void>((resolve) => goOn.push(resolve))
    return makePageData(1)
  })
  const asked = [1, 2, 4, 3, 1].map((place) => snapshots.at(versionAt(place)))
  await expect.poll(() => goOn).toHaveLength(1)
  goOn[0]?.()
  await expect.poll(() => goOn).toHaveLength(2)
  asked.push(snapshots.at(versionAt(4)))
  goOn[1]?.()
  const versions = (await Promise.all(asked)).map(({ version }) => version)
  expect(versions).toEqual([1, 4, 4, 4, 1, 4].map(versionAt))
  expect(read).toEqual([1, 4].map(versionAt))
  expect(snapshots.newest()?.version).toBe(versionAt(4))
  const older = snapshots.at(versionAt(2))
  await expect.poll(() => goOn).toHaveLength(3)
  goOn[2]?.()
  expect((await older).version).toBe(versionAt(2))
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
    await expect(snapshots.at(versionAt(1))).rejects.toThrow('away')
    void snapshots.at(versionAt(1))
    const late = snapshots.at(versionAt(2))
    await vi.advanceTimersByTimeAsync(1_000)
    expect((await late).version).toBe(versionAt(2))
  } finally {
    vi.useRealTimers()
  }
})
