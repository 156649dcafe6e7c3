/** Its name is set by hand. */
export class Away extends Error {
  constructor() {
    super('away')
    this.name = 'Away'
  }
}
