import test from 'ava';
import { toUpstreamError } from '../../../gateway/clients/call-error.ts';
import { CallError } from '../../../services/platform/grpc/grpc-client.ts';

const MESSAGE = 'secret words of photon at 127.0.0.1';
const failed = (code: string) => CallError.ofCode({ code, message: MESSAGE });

for (const [error, code, statusCode] of [
  [failed('UPSTREAM_FAILURE'), 'UPSTREAM_FAILURE', 502],
  [failed('UPSTREAM_TIMEOUT'), 'UPSTREAM_TIMEOUT', 504],
  [failed('OVERLOADED'), 'OVERLOADED', 503],
  [failed('RECORDS_UNAVAILABLE'), 'SERVICE_UNAVAILABLE', 503],
  [failed('INTERNAL'), 'UPSTREAM_FAILURE', 502],
  [new TypeError(MESSAGE), 'UPSTREAM_FAILURE', 502],
] as const) {
  test(`${error instanceof CallError ? error.code : error.name} of a service is ${code}, without its words`, (t) => {
    const known = toUpstreamError(error);
    t.deepEqual([known.code, known.statusCode], [code, statusCode]);
    t.notRegex(known.message, /secret|photon|127/);
  });
}
