import { createReadStream } from 'node:fs';
import { ImportError } from './address-row.ts';

export interface Line {
  /** The first line is 1. */
  readonly number: number;
  readonly text: string;
}

const CHUNK_BYTES = 1024 * 1024;
/** A line of this length is not a row of addresses. */
const MAX_LINE_CHARACTERS = 1024 * 1024;

/**
 * The lines of a UTF-8 file, without their ends. Memory does not grow with the file.
 * @throws {ImportError} if a line is too long or is not UTF-8
 */
export async function* linesOf(file: string): AsyncGenerator<readonly Line[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  let number = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: CHUNK_BYTES })) {
    rest += decode(() => decoder.decode(chunk as Uint8Array, { stream: true }), file, number + 1);
    const parts = rest.split('\n');
    rest = parts.pop() ?? '';
    if (rest.length > MAX_LINE_CHARACTERS) {
      throw new ImportError(
        file,
        number + parts.length + 1,
        `the line is longer than ${MAX_LINE_CHARACTERS} characters`,
      );
    }
    const lines = parts.map((text) => ({ number: ++number, text: text.endsWith('\r') ? text.slice(0, -1) : text }));
    if (lines.length > 0) yield lines;
  }
  rest += decode(() => decoder.decode(), file, number + 1);
  if (rest !== '') yield [{ number: number + 1, text: rest }];
}

function decode(read: () => string, file: string, line: number): string {
  try {
    return read();
  } catch {
    throw new ImportError(file, line, 'the file is not UTF-8 from here on');
  }
}
