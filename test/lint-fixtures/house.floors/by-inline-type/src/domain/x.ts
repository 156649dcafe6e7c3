export type Stats = import('node:fs').Stats
