import { Refusal } from '#domain/refusal.ts'

/** Standard output for bytes that only programs can read. @throws {Refusal} when it is a terminal */
export const outputForBytes = (): NodeJS.WriteStream => {
  if (process.stdout.isTTY)
    throw new Refusal(
      'invalid',
      'A terminal cannot show this: send it into a program or a file, or name a FILE',
    )
  return process.stdout
}
