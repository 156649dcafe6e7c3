import { readFileSync, writeFileSync } from 'node:fs'

/** Of processes that need more memory than there is the kernel ends the one with the highest number, up to 1,000. */
const offered = 800
const file = '/proc/self/oom_score_adj'

/** Offers this process to the kernel, which else ends the largest where memory runs out: that may be the site. */
export const beEndedFirst = (): void => {
  try {
    if (Number(readFileSync(file, 'utf8')) < offered) writeFileSync(file, String(offered))
  } catch {
    // Where there is no such file the kernel chooses as it likes.
  }
}
