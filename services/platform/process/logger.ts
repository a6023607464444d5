import { type Logger, pino } from 'pino';

export type { Logger };

const STDOUT = 1;

/** JSON lines on standard output. Headers that hold proofs, payments or keys are never written. */
export function createLogger(options: { readonly name: string; readonly level: string }): Logger {
  return pino(
    {
      name: options.name,
      level: options.level,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: ['headers', 'req.headers', 'body', '*.body', 'privateKey', '*.privateKey', 'signature', '*.signature'],
        remove: true,
      },
    },
    // Written at once: buffered lines are lost or out of order when the process exits, and those say why it exits.
    pino.destination({ dest: STDOUT, sync: true }),
  );
}
