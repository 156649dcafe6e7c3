export enum SaleStatus {
  ForSale = 'for_sale',
  Sold = 'sold',
}
