/**
 * Stands in for the package `react-style-singleton` (see vite.config.ts): the scroll lock of Radix dialogs
 * writes its rules into a <style> element whose text depends on the scrollbar's width, which a policy of
 * hashes refuses. Here the same rules go into a constructed style sheet, which needs no
 * permission. The only export that they use, same behaviour: the rules stand while at least one component shows
 * them; a static style keeps its first text.
 */
import { useEffect } from 'react'

export function styleSingleton(): (props: { styles: string }) => null {
  let users = 0
  let sheet: CSSStyleSheet | null = null
  const remove = (): void => {
    users -= 1
    if (users > 0) return
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet)
    sheet = null
  }
  return function Sheet({ styles }) {
    useEffect(() => {
      users += 1
      if (!sheet) {
        sheet = new CSSStyleSheet()
        sheet.replaceSync(styles)
        document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
      }
      return remove
      // oxlint-disable-next-line react-hooks/exhaustive-deps -- it keeps its first text, as in the package
    }, [])
    return null
  }
}
