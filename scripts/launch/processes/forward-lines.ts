import type { Readable } from 'node:stream';

/** A longer line is passed on in parts. */
const MAX_LINE_BYTES = 1024 * 1024;
const NEWLINE = 10;

/**
 * Passes what a stream has to `write`, in whole lines. A last line without its end gets one.
 * @returns a promise that resolves at the end of the stream
 */
export function forwardLines(stream: Readable, write: (lines: Buffer) => void): Promise<void> {
  let begun: readonly Buffer[] = [];
  let begunBytes = 0;
  stream.on('data', (chunk: Buffer) => {
    const end = begunBytes + chunk.length > MAX_LINE_BYTES ? chunk.length : chunk.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      write(Buffer.concat([...begun, chunk.subarray(0, end)]));
      begun = [];
      begunBytes = 0;
    }
    if (end === chunk.length) return;
    begun = [...begun, chunk.subarray(end)];
    begunBytes += chunk.length - end;
  });
  return new Promise((resolve) => {
    stream.once('close', () => {
      if (begunBytes > 0) write(Buffer.concat([...begun, Buffer.from('\n')]));
      resolve();
    });
  });
}
