import { Toolbar as Radix } from 'radix-ui'
import { Fragment, type ReactNode, type Ref } from 'react'
import { Tooltip } from '../../ui/tooltip.tsx'
import { AdminIcon } from '../admin-icon.tsx'
import styles from './rich-text-field.module.css'

const GROUPS = [
  ['Bold', 'Italic'],
  ['Ordered list', 'Bullet list', 'Blockquote'],
  ['Link', 'Clean'],
] as const

/** A tool of the editor by its name. */
export type Tool = (typeof GROUPS)[number][number]

/** What the toolbar shows of the editor, and how it has it act. */
export type Tools = { on: readonly Tool[]; isLinking: boolean; press: (tool: Tool) => void }

const SIGNS: Readonly<Record<Tool, ReactNode>> = {
  Bold: <b>B</b>,
  Italic: <i>I</i>,
  'Ordered list': <AdminIcon name="orderedList" />,
  'Bullet list': <AdminIcon name="bulletList" />,
  Blockquote: <AdminIcon name="blockquote" />,
  Link: <AdminIcon name="link" />,
  Clean: <AdminIcon name="clean" />,
}

type ToolbarProps = {
  /** the tools whose style the selected text has */
  on: readonly Tool[]
  /** the row for a link's address stands below */
  isLinking: boolean
  onPress: (tool: Tool) => void
  linkButton: Ref<HTMLButtonElement>
}

/** The demanded tools, one stop of the Tab key; arrow keys move between them. */
export function Toolbar({ on, isLinking, onPress, linkButton }: ToolbarProps) {
  return (
    <Radix.Root className={styles.toolbar} aria-label="Text style">
      {GROUPS.map((tools, index) => (
        <Fragment key={tools[0]}>
          {index > 0 && <Radix.Separator className={styles.gap} />}
          {tools.map((tool) => (
            <Tooltip key={tool} text={tool}>
              <Radix.Button
                ref={tool === 'Link' ? linkButton : undefined}
                aria-label={tool}
                aria-pressed={tool === 'Clean' ? undefined : on.includes(tool)}
                aria-expanded={tool === 'Link' ? isLinking : undefined}
                // The selection in the text stays where it is.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => onPress(tool)}
              >
                {SIGNS[tool]}
              </Radix.Button>
            </Tooltip>
          ))}
        </Fragment>
      ))}
    </Radix.Root>
  )
}
