export type Added = { readonly type: 'ArtworkAdded' }
