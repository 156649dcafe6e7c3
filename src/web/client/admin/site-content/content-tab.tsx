import { useSiteContent } from '../lib/queries.ts'
import { ListState } from '../form/list-state.tsx'
import { PanelHead } from '../shell/panel.tsx'
import { ContentForm } from './content-form.tsx'
import { PlaceholderList } from './content-guide.tsx'
import { CONTENT_WORDS } from './content-words.ts'
import { SectionList } from './section-list.tsx'

/** The Content tab: the homepage's texts and settings. */
export function ContentTab() {
  const query = useSiteContent()
  return (
    <>
      <PanelHead title={CONTENT_WORDS.title} />
      <ListState query={query}>
        {(content) => (
          <>
            <PlaceholderList content={content} />
            <SectionList />
            <ContentForm first={content} />
          </>
        )}
      </ListState>
    </>
  )
}
