import { readdirSync, readFileSync } from 'node:fs';
import { ignoreGone } from './ignore-gone.ts';

/** Clock ticks of Linux a second, which `/proc/<pid>/stat` counts in (proc(5)). */
const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4096;

/** What a process, or several of one name, have used. */
export interface Usage {
  /**
   * Since their start, with that of their children that have ended. Otherwise, the sum would fall when one of several
   * processes ends, as those of PostgreSQL do when a connection closes.
   */
  readonly cpuSeconds: number;
  /** Resident memory. Pages that processes share count in each. */
  readonly bytes: number;
  /** Open descriptors. */
  readonly descriptors: number;
}

/** Names of processes by a part of their command line. */
const NAMES: readonly (readonly [RegExp, (match: RegExpExecArray) => string])[] = [
  [/(?:^|[/\0])services\/([a-z]+)\/main\.[jt]s/, ([, name]) => String(name)],
  [/(?:^|[/\0])gateway\/main\.[jt]s/, () => 'gateway'],
  [/(?:^|[/\0])load\/floor\/([a-z]+)\.ts/, ([, name]) => String(name)],
  [/(?:^|[/\0])scripts\/launch\/main\.ts/, () => 'launcher'],
  [/(?:^|[/\0])measure\/bare-calls\.ts/, () => 'bare route'],
  [/(?:redis|valkey)-server/, () => 'redis'],
  [/(?:^|[/\0])anvil/, () => 'anvil'],
  [/(?:^|[/\0])postgres(?:[:\0 ]|$)/, () => 'postgres'],
];

/** Reads what all descendants of a process use, by name, and what this process uses, as `load`. Linux only. */
export function readUsage(rootPid: number | undefined): ReadonlyMap<string, Usage> {
  const found = new Map<string, Usage>([['load', usageOf(process.pid, readStat(process.pid))]]);
  if (rootPid === undefined) return found;
  for (const { pid, stat } of descendantsOf(rootPid)) {
    const name = nameOf(pid);
    if (name === undefined) continue;
    const usage = usageOf(pid, stat);
    const sum = found.get(name);
    found.set(name, sum === undefined ? usage : add(sum, usage));
  }
  return found;
}

const add = (a: Usage, b: Usage): Usage => ({
  cpuSeconds: a.cpuSeconds + b.cpuSeconds,
  bytes: a.bytes + b.bytes,
  descriptors: a.descriptors + b.descriptors,
});

/** Fields of `/proc/<pid>/stat` after the name, which may contain spaces. The first is the state. */
const readStat = (pid: number): readonly string[] => {
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
};

const PARENT = 1;
/** User and system ticks, and those of children that have ended. */
const TICKS = [11, 12, 13, 14] as const;
const RESIDENT_PAGES = 21;

function usageOf(pid: number, stat: readonly string[]): Usage {
  return {
    cpuSeconds: TICKS.reduce((sum, field) => sum + Number(stat[field]), 0) / TICKS_PER_SECOND,
    bytes: Number(stat[RESIDENT_PAGES]) * PAGE_BYTES,
    descriptors: ignoreGone(() => readdirSync(`/proc/${pid}/fd`).length) ?? 0,
  };
}

export function descendantsOf(rootPid: number) {
  const all = new Map<number, readonly string[]>();
  for (const entry of readdirSync('/proc')) {
    const stat = /^\d+$/.test(entry) ? ignoreGone(() => readStat(Number(entry))) : undefined;
    if (stat !== undefined) all.set(Number(entry), stat);
  }
  const isWithin = (pid: number): boolean => {
    if (pid === rootPid) return true;
    const parent = Number(all.get(pid)?.[PARENT]);
    return parent > 1 && isWithin(parent);
  };
  return Array.from(all, ([pid, stat]) => ({ pid, stat })).filter(({ pid }) => isWithin(pid));
}

export function nameOf(pid: number): string | undefined {
  const command = ignoreGone(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? '';
  // The shell that ties a process to its parent has the same arguments.
  if (/^\/bin\/sh\0/.test(command)) return undefined;
  for (const [pattern, name] of NAMES) {
    const match = pattern.exec(command);
    if (match !== null) return name(match);
  }
  return undefined;
}
