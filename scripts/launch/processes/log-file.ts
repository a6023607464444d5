import { closeSync, mkdirSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROTATE_AT_BYTES = 20 * 1024 * 1024;
const TAIL_BYTES = 16 * 1024;
const WARN_LEVEL = 40;

export interface LogFile {
  readonly path: string;
  readonly fd: number;
  /** What it said last, its warnings and errors first of all; `count` lines at most. */
  readonly tail: (count: number) => readonly string[];
  readonly close: () => void;
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** A pino line of a lower level is no news; any other line is text that a crash may have left. */
function isNews(line: string): boolean {
  if (!line.startsWith('{')) return line.trim() !== '';
  const level = /"level":(\d+)/.exec(line)?.[1];
  return level === undefined || Number(level) >= WARN_LEVEL;
}

function readTail(path: string, count: number): readonly string[] {
  const fd = openSync(path, 'r');
  try {
    const size = sizeOf(path);
    const buffer = Buffer.alloc(Math.min(size, TAIL_BYTES));
    readSync(fd, buffer, 0, buffer.length, size - buffer.length);
    const lines = buffer.toString('utf8').trimEnd().split('\n');
    const news = lines.filter(isNews);
    return (news.length > 0 ? news : lines).slice(-count);
  } finally {
    closeSync(fd);
  }
}

/** Opens `<folder>/<name>.log` to append, readable by its owner alone; one older file of it is kept as `.1`. */
export function openLogFile(folder: string, name: string): LogFile {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${name}.log`);
  if (sizeOf(path) > ROTATE_AT_BYTES) renameSync(path, `${path}.1`);
  const fd = openSync(path, 'a', 0o600);
  return { path, fd, tail: (count) => readTail(path, count), close: () => closeSync(fd) };
}
