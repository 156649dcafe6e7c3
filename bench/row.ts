/** One line of a bench's table. */
export type Row = {
  readonly what: string
  readonly value: number
  readonly unit: string
  /** The same thing done barely, measured in the same run. */
  readonly floor?: { readonly what: string; readonly value: number }
  /** value ÷ floor */
  readonly ratio?: number
  /** What issue or decision asks for, as a bound of the ratio where there is one, else of the value. */
  readonly aim?: { readonly atMost: number } | { readonly atLeast: number }
  readonly meets?: boolean
}

export type Bench = {
  readonly name: string
  /** why it cannot be run here; null when it can */
  readonly missing?: () => string | null
  run(): Promise<Row[]>
}

/** Builds a row: works out the ratio to the floor, and whether the aim is met. */
export const row = (
  what: string,
  value: number,
  unit: string,
  against: Pick<Row, 'floor' | 'aim'> = {},
): Row => {
  const ratio = against.floor && value / against.floor.value
  const { aim } = against
  const judged = ratio ?? value
  return {
    what,
    value,
    unit,
    ...(against.floor && { floor: against.floor }),
    ...(ratio !== undefined && { ratio }),
    ...(aim && { aim, meets: 'atMost' in aim ? judged <= aim.atMost : judged >= aim.atLeast }),
  }
}

const figure = (value: number): string =>
  value.toLocaleString('en-GB', value < 10 ? { maximumFractionDigits: 3 } : { maximumFractionDigits: 0 })

const cells = (each: Row): string[] => [
  each.what,
  `${figure(each.value)} ${each.unit}`,
  each.floor ? `${figure(each.floor.value)} ${each.unit} (${each.floor.what})` : '',
  each.ratio === undefined ? '' : `${each.ratio.toFixed(2)} ×`,
  each.aim ? ('atMost' in each.aim ? `≤ ${each.aim.atMost}` : `≥ ${each.aim.atLeast}`) : '',
  each.meets === undefined ? '' : each.meets ? 'met' : 'MISSED',
]

/** @returns the rows as a table for a terminal, columns aligned */
export const table = (rows: readonly Row[]): string => {
  const lines = [['what', 'measured', 'floor', 'ratio', 'aim', ''], ...rows.map(cells)]
  const widths =
    lines[0]?.map((_, column) => Math.max(...lines.map((each) => each[column]?.length ?? 0))) ?? []
  return lines
    .map((each) =>
      each
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
