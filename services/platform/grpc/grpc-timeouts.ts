import { subscribe } from 'node:diagnostics_channel';

const MS_PER_UNIT = new Map([
  ['H', 3_600_000],
  ['M', 60_000],
  ['S', 1000],
]);
const MAX_SECONDS = Math.floor((2 ** 31 - 1) / 1000);

/**
 * Shortens the timeouts of incoming calls to 24 days. grpc-js keeps only the low 32 bits of a timeout in milliseconds, so
 * a longer one would end at a random time. It reads the header before any interceptor runs.
 */
export function limitGrpcTimeouts(): void {
  subscribe('http2.server.stream.created', limitTimeout);
}

function limitTimeout(message: unknown): void {
  // Node documents this message of `http2.server.stream.created`. Its headers may be changed.
  const { headers } = message as { readonly headers: Record<string, unknown> };
  const timeout = headers['grpc-timeout'];
  if (typeof timeout !== 'string') return;
  const [, amount, unit] = /^(\d{1,8})([HMS])$/.exec(timeout) ?? [];
  const unitMs = unit === undefined ? undefined : MS_PER_UNIT.get(unit);
  if (unitMs !== undefined && Number(amount) * unitMs > MAX_SECONDS * 1000) headers['grpc-timeout'] = `${MAX_SECONDS}S`;
}
