import { Metadata, status } from '@grpc/grpc-js';
import test from 'ava';
import { classifyFailure } from '../../../../services/backoffice/jobs/failure.ts';
import { CallError } from '../../../../services/platform/grpc/grpc-client.ts';
import { ERROR_CODE_KEY } from '../../../../services/platform/grpc/service-error.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;

function failure(code: status, ownCode?: string): CallError {
  const metadata = new Metadata();
  if (ownCode !== undefined) metadata.set(ERROR_CODE_KEY, ownCode);
  return new CallError(Object.assign(new Error('said'), { code, details: 'said', metadata }));
}

/** Runs a job that always fails with `error`. Returns how often it starts, how long it waits in total, and its error. */
function exhaust(error: unknown) {
  let spent = 0;
  let waitedMs = 0;
  for (let attempts = 1; ; attempts += 1) {
    const verdict = classifyFailure(error, spent, SECOND_MS);
    if (verdict.isFinal) return { attempts, waitedMs, code: verdict.code, message: verdict.message };
    spent = verdict.spent;
    waitedMs += verdict.delayMs;
  }
}

test('a call to an unavailable or busy service is repeated for about ten minutes', (t) => {
  for (const code of [status.UNAVAILABLE, status.RESOURCE_EXHAUSTED, status.ABORTED, status.CANCELLED]) {
    const { attempts, waitedMs } = exhaust(failure(code));
    t.is(attempts, 15);
    t.true(waitedMs > 6 * MINUTE_MS && waitedMs < 12 * MINUTE_MS, String(waitedMs));
  }
});

test('a call that fails or times out is made five times', (t) => {
  for (const code of [status.INTERNAL, status.UNKNOWN, status.DEADLINE_EXCEEDED]) {
    t.is(exhaust(failure(code)).attempts, 5);
  }
  t.is(exhaust(new Error('a fault of this process')).attempts, 5);
});

test('a refusal is final, and keeps the message of the service', (t) => {
  for (const code of [
    status.NOT_FOUND,
    status.INVALID_ARGUMENT,
    status.FAILED_PRECONDITION,
    status.PERMISSION_DENIED,
    status.ALREADY_EXISTS,
    status.UNIMPLEMENTED,
  ]) {
    t.like(exhaust(failure(code, 'PLAN_CLOSED')), { attempts: 1, code: 'PLAN_CLOSED', message: 'said' });
  }
});

test('the message of a gRPC failure, which may name addresses, is not published', (t) => {
  const { code, message } = exhaust(failure(status.UNAVAILABLE));
  t.is(code, 'UNAVAILABLE');
  t.not(message, 'said');
});
