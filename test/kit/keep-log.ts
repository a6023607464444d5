import { Writable } from 'node:stream';
import { type Logger, pino } from 'pino';

/** A logger that keeps all lines in memory. */
export function keepLog(): { readonly logger: Logger; readonly text: () => string } {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return { logger: pino({ level: 'trace' }, sink), text: () => lines.join('') };
}
