declare const logged: (method: unknown, context: unknown) => void

export class Greeter {
  @logged
  greet(): string {
    return 'hello'
  }
}
