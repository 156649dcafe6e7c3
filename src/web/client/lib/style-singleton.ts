/**
 * Stands in for the package `react-style-singleton` (see vite.config.ts): the scroll lock of Radix dialogs
 * writes its rules into a <style> element whose text depends on the scrollbar's width, which a policy of
 * hashes refuses. Here the same rules go into a constructed style sheet, which needs no
 * permission. Same exports, same behaviour: the rules stand while at least one component shows them.
 */
import { useEffect } from 'react'

export function stylesheetSingleton(): { add: (css: string) => void; remove: () => void } {
  let users = 0
  let sheet: CSSStyleSheet | null = null
  return {
    add: (css) => {
      users += 1
      if (sheet) return
      sheet = new CSSStyleSheet()
      sheet.replaceSync(css)
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
    },
    remove: () => {
      users -= 1
      if (users > 0 || !sheet) return
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet)
      sheet = null
    },
  }
}

export function styleHookSingleton(): (styles: string, dynamic?: boolean) => void {
  const sheet = stylesheetSingleton()
  return function useStyle(styles, dynamic) {
    useEffect(() => {
      sheet.add(styles)
      return () => sheet.remove()
      // oxlint-disable-next-line react-hooks/exhaustive-deps -- a static style keeps its first text, as the package does
    }, [styles && dynamic])
  }
}

export function styleSingleton(): (props: { styles: string; dynamic?: boolean }) => null {
  const useStyle = styleHookSingleton()
  return function Sheet({ styles, dynamic }) {
    useStyle(styles, dynamic)
    return null
  }
}
