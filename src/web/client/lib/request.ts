import type { Address, Answer, NameAt, Sent } from '#web/contract/calls.ts'

/** The address of a call that only reads. */
export type Reading = Extract<Address, `GET ${string}`>
/** The address of a call that changes something. */
export type Command = Exclude<Address, Reading>
/** What a call at this address is sent. */
export type SentTo<A extends Address> = Sent<NameAt<A>>
/** What a call at this address answers when it is done. */
export type AnswerOf<A extends Address> = Answer<NameAt<A>>

/** The method of an address, and its path with what is sent in it. */
export function requestOf<A extends Address>(
  address: A,
  sent: Pick<SentTo<A>, 'params' | 'query'>,
): { method: string; path: string } {
  // Texts by name, as all params and queries of the contract.
  const { params, query } = sent as { params?: Record<string, string>; query?: Record<string, string> }
  const [method = '', path = ''] = address.split(' ')
  const asked = String(new URLSearchParams(query))
  return {
    method,
    path:
      path.replace(/{(\w+)}/g, (_, name: string) => encodeURIComponent(params?.[name] ?? '')) +
      (asked && `?${asked}`),
  }
}
