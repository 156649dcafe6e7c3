const grouped = new Intl.NumberFormat('en-IN')

/**
 * The line of an artwork's card that says what it costs, in the words of the page.
 * @param work price in whole rupees
 */
export const cardCaption = (artwork: {
  readonly price: number
  readonly saleStatus: 'for_sale' | 'reserved' | 'sold' | 'not_for_sale'
}): string => {
  const price = artwork.price === 0 ? 'Price on request' : `₹${grouped.format(artwork.price)}`
  switch (artwork.saleStatus) {
    case 'sold':
      return 'Sold'
    case 'not_for_sale':
      return 'Not for sale'
    case 'reserved':
      return `${price}, reserved`
    case 'for_sale':
      return price
  }
}
