/** The page and the text on it in both themes, as `client/styles/tokens.css` has them, for what bears no style sheet. */
export const colors = {
  wall: { light: '#f5f1e8', dark: '#201e1b' },
  ink: { light: '#1d1a16', dark: '#f0eadf' },
} as const
