import { type Logger, pino } from 'pino';

export type { Logger };

const STDOUT = 1;

/** Writes JSON lines to standard output. Headers with proofs, payments or keys are never written. */
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
    // Lines are not buffered: buffered lines could be lost when the process exits, and the last ones say why.
    pino.destination({ dest: STDOUT, sync: true }),
  );
}
