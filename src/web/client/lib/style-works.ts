import { type StyledWork, workRules } from './work-styles.ts'

let sheet: CSSStyleSheet | null = null

/**
 * Gives works that arrived after the page its per-work values (`work-styles.ts`). A constructed sheet is no
 * inline style, so the policy with hashes allows it.
 */
export function styleWorks(works: readonly StyledWork[]): void {
  if (!sheet) {
    sheet = new CSSStyleSheet()
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  }
  sheet.replaceSync(workRules(works))
}
