import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Log, tellingLines } from '../../scripts/launch/processes/log-file.ts';

/** A log that processes write themselves, so that a test finds at once what was written before an answer. */
export interface LogFile extends Log {
  readonly path: string;
  readonly output: number;
  readonly close: () => void;
}

/** Opens `<folder>/<name>.log` to append. */
export function openLogFile(folder: string, name: string): LogFile {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${name}.log`);
  const output = openSync(path, 'a', 0o600);
  const tail = (count: number) => tellingLines(readFileSync(path, 'utf8'), count);
  return { path, place: path, output, tail, close: () => closeSync(output) };
}
