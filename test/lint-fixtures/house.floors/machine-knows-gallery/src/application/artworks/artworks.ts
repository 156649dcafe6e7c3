export const artworks = 1
