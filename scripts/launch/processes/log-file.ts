import { closeSync, mkdirSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Type } from 'typebox';
import { createJsonReader } from '../parse/json-reader.ts';

const ROTATE_AT_BYTES = 20 * 1024 * 1024;
const TAIL_BYTES = 16 * 1024;
const WARN_LEVEL = 40;

export interface LogFile {
  readonly path: string;
  readonly fd: number;
  /** Up to `count` last lines. Warnings and errors are preferred. */
  readonly tail: (count: number) => readonly string[];
  readonly close: () => void;
}

function sizeOf(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? 0 : found.size;
}

/** Whether a line may explain a crash: a pino line of level warning or above, or any text that is not from pino. */
function isTelling(line: string): boolean {
  if (!line.startsWith('{')) return line.trim() !== '';
  const level = /"level":(\d+)/.exec(line)?.[1];
  return level === undefined || Number(level) >= WARN_LEVEL;
}

const parseEntry = createJsonReader(
  Type.Object({ msg: Type.String(), err: Type.Optional(Type.Object({ message: Type.String() })) }),
  'a line of the log',
);

/** What a line of a log says: without the fields of pino, if it is from pino. */
export function toPlain(line: string): string {
  if (!line.startsWith('{')) return line;
  try {
    const { msg, err } = parseEntry(line);
    return err === undefined ? msg : `${msg}: ${err.message}`;
  } catch {
    // Another program may write JSON, too.
    return line;
  }
}

function readTail(path: string, count: number): readonly string[] {
  const fd = openSync(path, 'r');
  try {
    const size = sizeOf(path);
    const buffer = Buffer.alloc(Math.min(size, TAIL_BYTES));
    readSync(fd, buffer, 0, buffer.length, size - buffer.length);
    const lines = buffer.toString('utf8').trimEnd().split('\n');
    const telling = lines.filter(isTelling);
    return (telling.length > 0 ? telling : lines).slice(-count);
  } finally {
    closeSync(fd);
  }
}

/** Opens `<folder>/<name>.log` to append. Only the owner can read it. A large file is first renamed to `.1`. */
export function openLogFile(folder: string, name: string): LogFile {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${name}.log`);
  if (sizeOf(path) > ROTATE_AT_BYTES) renameSync(path, `${path}.1`);
  const fd = openSync(path, 'a', 0o600);
  return { path, fd, tail: (count) => readTail(path, count), close: () => closeSync(fd) };
}
