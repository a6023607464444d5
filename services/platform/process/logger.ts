import { type Logger, pino } from 'pino';

export type { Logger };

const STDOUT = 1;
/** Lines that could not be written and are tried again. More are dropped. */
const MAX_UNWRITTEN_BYTES = 1024 * 1024;

/** More hexadecimal digits than 32 bytes have, as signatures, signed transactions and their calldata do. */
const LONG_HEX = /(?<=x)[0-9a-f]{65,}/gi;

/**
 * Writes JSON lines to standard output. Headers with proofs, payments or keys are never written, and no long bytes: the errors
 * of a node repeat what it was asked, such as payments that are not public yet.
 */
export function createLogger(options: { readonly name: string; readonly level: string }): Logger {
  return pino(
    {
      name: options.name,
      level: options.level,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
      hooks: { streamWrite: (line) => line.replaceAll(LONG_HEX, '…') },
      redact: {
        paths: ['headers', 'req.headers', 'body', '*.body', 'privateKey', '*.privateKey', 'signature', '*.signature'],
        remove: true,
      },
    },
    openStdout(),
  );
}

const ADDRESS = /\b(?:https?|wss?|postgres(?:ql)?|rediss?):\/\/[^\s'"]+/g;
/** The errors of a node repeat whose account it was asked about. */
const ACCOUNT = /\b0x[0-9a-f]{40}\b/gi;

/** An error without the addresses of servers, which may have a key or a password, and of wallets. */
const describeError = (error: Error): unknown => hideAddresses(pino.stdSerializers.err(error));

function hideAddresses(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(ADDRESS, '(address)').replaceAll(ACCOUNT, '(account)');
  if (Array.isArray(value)) return value.map(hideAddresses);
  const isDescribed = typeof value === 'object' && value !== null && 'stack' in value;
  if (!isDescribed) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, hideAddresses(member)]));
}

/** Standard output, which is often a file. While its disk is full, the process keeps serving, and lines are lost. */
function openStdout() {
  // Lines are not buffered: buffered lines could be lost when the process exits, and the last ones say why.
  const stdout = pino.destination({ dest: STDOUT, sync: true, maxLength: MAX_UNWRITTEN_BYTES });
  stdout.on('error', () => {});
  return stdout;
}
