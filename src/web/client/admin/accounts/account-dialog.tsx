export function AccountDialog(_props: { open: boolean; onClose: () => void }) {
  return null
}
