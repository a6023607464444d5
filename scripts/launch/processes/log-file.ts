import { join } from 'node:path';
import { Type } from 'typebox';
import { createJsonReader } from '../parse/json-reader.ts';
import { openRotatedFile } from './rotated-file.ts';

const TAIL_BYTES = 16 * 1024;
const WARN_LEVEL = 40;

/** Takes what processes print. */
export interface Log {
  /** Where people find the lines. */
  readonly place: string;
  /** For standard output and standard error of a process: an open file, or what takes whole lines. */
  readonly output: number | ((lines: Buffer) => void);
  /** As `tellingLines` finds them. */
  readonly tail: (count: number) => readonly string[];
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

/** Up to `count` last lines of the end of a log. Warnings and errors are preferred. */
export function tellingLines(text: string, count: number): readonly string[] {
  const lines = text.trimEnd().split('\n');
  const telling = lines.filter(isTelling);
  return (telling.length > 0 ? telling : lines).slice(-count);
}

/**
 * A log whose lines this process writes: to the rotated file `<folder>/<name>.log`, or without a folder to its own standard
 * output, where the journal takes them.
 */
export function openLog(folder: string | undefined, name: string): Log {
  const path = folder === undefined ? undefined : join(folder, `${name}.log`);
  const append = path === undefined ? (lines: Buffer) => process.stdout.write(lines) : openRotatedFile(path);
  let recent = Buffer.alloc(0);
  return {
    place: path ?? 'standard output',
    output(lines) {
      append(lines);
      recent = Buffer.concat([recent, lines]).subarray(-TAIL_BYTES);
    },
    tail: (count) => tellingLines(recent.toString('utf8'), count),
  };
}
