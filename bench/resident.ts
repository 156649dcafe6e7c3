import { readdir, readFile } from 'node:fs/promises'

/** What a process holds in memory, in MiB. */
export interface Resident {
  /** not mapped from files: heaps, buffers, native memory */
  readonly anonymous: number
  /** mapped from files, Node's own program above all, of which the kernel keeps as much as it likes */
  readonly files: number
}

/** Resident memory of a process (Linux's /proc); nothing for one that has ended. */
export const residentOf = async (pid: number): Promise<Resident> => {
  // The process may end between the listing and the reading; it then holds nothing.
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  const mib = (field: string): number =>
    Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) / 1024
  return { anonymous: mib('Anonymous'), files: mib('Rss') - mib('Anonymous') }
}

/** The processes that one has started, with all that those have. */
export const childrenOf = async (root: number): Promise<readonly number[]> => {
  const processes = await Promise.all(
    (await readdir('/proc'))
      .filter((name) => /^\d+$/.test(name))
      .map(async (name) => {
        const status = await readFile(`/proc/${name}/status`, 'utf8').catch(() => '')
        return { pid: Number(name), parent: Number(/^PPid:\s+(\d+)/m.exec(status)?.[1] ?? 0) }
      }),
  )
  const startedBy = (pid: number): number[] =>
    processes.filter(({ parent }) => parent === pid).flatMap((child) => [child.pid, ...startedBy(child.pid)])
  return startedBy(root)
}

/** What the process itself says of its memory by `/metrics`, in MiB. */
export const heapOf = async (
  url: string,
): Promise<{ readonly used: number; readonly heap: number; readonly external: number }> => {
  const text = await (await fetch(`${url}/metrics`)).text()
  const mib = (name: string): number =>
    Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? Number.NaN) / 1024 ** 2
  return {
    used: mib('nodejs_heap_size_used_bytes'),
    heap: mib('nodejs_heap_size_total_bytes'),
    external: mib('nodejs_external_memory_bytes'),
  }
}
