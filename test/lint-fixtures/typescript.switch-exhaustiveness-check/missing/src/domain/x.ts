type Event = { readonly type: 'ArtworkSold' } | { readonly type: 'ArtworkHidden' }

export const name = (event: Event): string => {
  switch (event.type) {
    case 'ArtworkSold':
      return 'sold'
  }
  return ''
}
