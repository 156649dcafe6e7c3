import { useSiteContent } from '../lib/queries.ts'
import { ListState } from '../form/list-state.tsx'
import { PanelHead } from '../shell/panel.tsx'
import { ContentForm } from './content-form.tsx'
import { CONTENT_WORDS } from './content-words.ts'

/** The Content tab: the homepage's texts and settings. */
export function ContentTab() {
  const query = useSiteContent()
  return (
    <>
      <PanelHead title={CONTENT_WORDS.title} />
      <ListState query={query}>{(content) => <ContentForm first={content} />}</ListState>
    </>
  )
}
