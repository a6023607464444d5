import { type Logger, pino } from 'pino';

export type { Logger };

/** JSON lines on standard output. Headers that hold proofs, payments or keys are never written. */
export function createLogger(options: { readonly name: string; readonly level: string }): Logger {
  return pino({
    name: options.name,
    level: options.level,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ['headers', 'req.headers', 'body', '*.body', 'privateKey', '*.privateKey', 'signature', '*.signature'],
      remove: true,
    },
  });
}
