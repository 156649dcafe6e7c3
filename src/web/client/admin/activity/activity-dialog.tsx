export function ActivityDialog(_props: {
  open: boolean
  work: { id: string; title: string } | null
  onClose: () => void
}) {
  return null
}
