export const fail = (): never => {
  throw Error('no')
}
