export class Thing {
  readonly n = 1
}

export const spread = (thing: Thing): object => ({ ...thing })
