import { type DragEvent, useState } from 'react'

type FileDrop = {
  /** files are held above the element */
  isOver: boolean
  handlers: {
    onDragEnter: (event: DragEvent) => void
    onDragOver: (event: DragEvent) => void
    onDragLeave: (event: DragEvent) => void
    onDrop: (event: DragEvent) => void
  }
}

const hasFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files')

/** Makes an element take files that are dropped on it. */
export function useFileDrop(onFiles: (files: readonly File[]) => void): FileDrop {
  const [isOver, setIsOver] = useState(false)
  return {
    isOver,
    handlers: {
      onDragEnter: (event) => {
        if (hasFiles(event)) setIsOver(true)
      },
      onDragOver: (event) => {
        if (hasFiles(event)) event.preventDefault()
      },
      onDragLeave: (event) => {
        const { relatedTarget, currentTarget } = event
        if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)) setIsOver(false)
      },
      onDrop: (event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setIsOver(false)
        onFiles([...event.dataTransfer.files])
      },
    },
  }
}
