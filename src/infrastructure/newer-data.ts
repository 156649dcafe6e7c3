/** What is kept was written by a newer Atelier. The message is for people. */
export class NewerData extends Error {
  override readonly name = 'NewerData'

  constructor(where: string, found: number, known: number) {
    super(
      `The data ${where} was written by a newer Atelier (data version ${found}, this one knows ${known}): ` +
        'start the newer version, or restore a backup made with this one',
    )
  }
}
