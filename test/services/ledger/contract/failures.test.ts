import { status } from '@grpc/grpc-js';
import test from 'ava';
import { askUntilKnown, explainFailure } from '../../../../services/ledger/contract/failures.ts';
import { LedgerUnavailableError } from '../../../../services/ledger/contract/ledger.ts';
import { CallError } from '../../../../services/platform/grpc/grpc-client.ts';
import { defined } from '../../../../workers/exact/defined.ts';

const LOST = () => CallError.ofStatus(status.UNAVAILABLE, 'Connection dropped');
const NOT_SENT = () => CallError.ofStatus(status.UNAVAILABLE, 'No connection established');
const REFUSED = () => CallError.ofCode({ code: 'LEDGER_REFUSED', message: 'no' });

for (const [what, error, code] of [
  ['a connection that was lost', LOST(), 'uncertain'],
  ['no connection', NOT_SENT(), 'refused'],
  ['a name that is not resolved', CallError.ofStatus(status.UNAVAILABLE, 'Name resolution failed: x'), 'refused'],
  [
    'an answer that came too late',
    CallError.ofStatus(status.DEADLINE_EXCEEDED, 'No connection established'),
    'uncertain',
  ],
  ['too many calls', CallError.ofStatus(status.RESOURCE_EXHAUSTED, 'full'), 'refused'],
  ['a service without the method', CallError.ofStatus(status.UNIMPLEMENTED, 'unknown'), 'refused'],
  ['a refusal', REFUSED(), 'refused'],
  ['a closed ledger', CallError.ofCode({ code: 'LEDGER_CLOSED', message: 'closed' }), 'not_ready'],
  ['a fault of the service', CallError.ofCode({ code: 'INTERNAL', message: 'a fault' }), 'uncertain'],
  ['a fault of this process', new Error('a fault'), 'uncertain'],
] as const) {
  test(`${what} is ${code}`, (t) => {
    t.is(explainFailure(error).code, code);
  });
}

test('a failure that was explained stays as it is', (t) => {
  const failure = new LedgerUnavailableError('refused', 'no');
  t.is(explainFailure(failure), failure);
});

/** Asks with these failures one after the other, and then an answer. Each attempt takes ten milliseconds of the clock. */
function ask(failures: readonly (() => Error)[], untilMs: number) {
  let nowMs = 0;
  const left: number[] = [];
  const asked = askUntilKnown(
    async (leftMs) => {
      const failure = failures[left.length];
      left.push(leftMs);
      nowMs += 10;
      if (failure !== undefined) throw failure();
      return 'done';
    },
    { untilMs, monotonicMs: () => nowMs },
  );
  return { asked, left };
}

test('what is uncertain, or was not sent, is asked again with the time that is left', async (t) => {
  const { asked, left } = ask([LOST, NOT_SENT, REFUSED], 1000);
  t.is(await asked, 'done');
  t.deepEqual(left, [1000, 990, 980, 970]);
});

test('no attempt begins without time, however the clock goes on', async (t) => {
  let nowMs = 0;
  const left: number[] = [];
  const asked = askUntilKnown(
    async (leftMs) => {
      left.push(leftMs);
      throw NOT_SENT();
    },
    { untilMs: 130, monotonicMs: () => (nowMs += 40) },
  );
  t.is((await t.throwsAsync(asked, { instanceOf: LedgerUnavailableError })).code, 'refused');
  t.deepEqual(left, [90, 50]);
});

test('a refusal is not asked again, unless an earlier attempt was uncertain', async (t) => {
  const { asked, left } = ask([REFUSED], 1000);
  t.is((await t.throwsAsync(asked, { instanceOf: LedgerUnavailableError })).code, 'refused');
  t.is(left.length, 1);
});

for (const [what, failures, code] of [
  ['uncertain, after a refusal as well', [LOST, ...Array.from({ length: 9 }, () => REFUSED)], 'uncertain'],
  ['refused, if nothing was sent', Array.from({ length: 9 }, () => NOT_SENT), 'refused'],
] as const) {
  test(`at the deadline, it is ${what}`, async (t) => {
    const { asked, left } = ask(failures, 60);
    t.is((await t.throwsAsync(asked, { instanceOf: LedgerUnavailableError })).code, code);
    // The next attempt would begin after the deadline.
    t.is(defined(left.at(-1)), 30);
  });
}
