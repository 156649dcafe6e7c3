import type { Editor } from '@tiptap/core'
import { useEditorState } from '@tiptap/react'
import { Toolbar as Radix } from 'radix-ui'
import { type ReactNode, useRef, useState } from 'react'
import { Tooltip } from '../../../ui/tooltip.tsx'
import { AdminIcon } from '../../admin-icon.tsx'
import { LinkRow } from './link-row.tsx'
import styles from './editor.module.css'

/** The demanded tools, one stop of the Tab key; arrow keys move between them. */
export function Toolbar({ editor }: { editor: Editor }) {
  const [isLinking, setIsLinking] = useState(false)
  const linkButton = useRef<HTMLButtonElement>(null)
  const is = useEditorState({
    editor,
    selector: ({ editor: now }) => ({
      bold: now.isActive('bold'),
      italic: now.isActive('italic'),
      orderedList: now.isActive('orderedList'),
      bulletList: now.isActive('bulletList'),
      blockquote: now.isActive('blockquote'),
      link: now.isActive('link'),
    }),
  })
  const chain = () => editor.chain().focus()
  return (
    <>
      <Radix.Root className={styles.toolbar} aria-label="Text style">
        <Tool name="Bold" pressed={is.bold} onPress={() => chain().toggleBold().run()}>
          <b>B</b>
        </Tool>
        <Tool name="Italic" pressed={is.italic} onPress={() => chain().toggleItalic().run()}>
          <i>I</i>
        </Tool>
        <Radix.Separator className={styles.gap} />
        <Tool name="Ordered list" pressed={is.orderedList} onPress={() => chain().toggleOrderedList().run()}>
          <AdminIcon name="orderedList" />
        </Tool>
        <Tool name="Bullet list" pressed={is.bulletList} onPress={() => chain().toggleBulletList().run()}>
          <AdminIcon name="bulletList" />
        </Tool>
        <Tool name="Blockquote" pressed={is.blockquote} onPress={() => chain().toggleBlockquote().run()}>
          <AdminIcon name="blockquote" />
        </Tool>
        <Radix.Separator className={styles.gap} />
        <Tool
          buttonRef={linkButton}
          name="Link"
          pressed={is.link}
          expanded={isLinking}
          onPress={() => setIsLinking((before) => !before)}
        >
          <AdminIcon name="link" />
        </Tool>
        <Tool name="Clean" onPress={() => chain().clearNodes().unsetAllMarks().run()}>
          <AdminIcon name="clean" />
        </Tool>
      </Radix.Root>
      {isLinking && (
        <LinkRow
          editor={editor}
          onClose={() => {
            setIsLinking(false)
            linkButton.current?.focus()
          }}
          onDone={() => setIsLinking(false)}
        />
      )}
    </>
  )
}

type ToolProps = {
  name: string
  pressed?: boolean
  expanded?: boolean
  onPress: () => void
  buttonRef?: React.Ref<HTMLButtonElement>
  children: ReactNode
}

function Tool({ name, pressed, expanded, onPress, buttonRef, children }: ToolProps) {
  return (
    <Tooltip text={name}>
      <Radix.Button
        ref={buttonRef}
        aria-label={name}
        aria-pressed={pressed}
        aria-expanded={expanded}
        // The selection in the text stays where it is.
        onMouseDown={(event) => event.preventDefault()}
        onClick={onPress}
      >
        {children}
      </Radix.Button>
    </Tooltip>
  )
}
