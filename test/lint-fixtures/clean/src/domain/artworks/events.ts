export interface Added { readonly type: 'ArtworkAdded' }
