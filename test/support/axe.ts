import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright'

/**
 * What axe finds on a page as it stands: each rule that fails with the first place where it does.
 * @param rules those that are asked; all of them otherwise
 */
export const axeFaults = async (
  page: Page,
  rules?: string[],
): Promise<{ id: string; at: string | undefined }[]> => {
  // In the page itself: without frames there is nothing to put together in a page of its own, which takes as long again.
  const axe = new AxeBuilder({ page }).setLegacyMode()
  if (rules) axe.withRules(rules)
  const { violations } = await axe.analyze()
  return violations.map(({ id, nodes }) => ({ id, at: nodes[0]?.html }))
}

/** What axe finds in both themes; the dark one changes colours and nothing else. */
export const axeFaultsInBothThemes = async (
  page: Page,
): Promise<{ id: string; at: string | undefined; colorScheme: string }[]> => {
  const found = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const faults = await axeFaults(page, colorScheme === 'dark' ? ['color-contrast'] : undefined)
    found.push(...faults.map((fault) => ({ ...fault, colorScheme })))
  }
  return found
}
