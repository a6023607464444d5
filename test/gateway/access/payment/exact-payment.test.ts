import test from 'ava';
import { createFingerprints } from '../../../../gateway/access/call/fingerprints.ts';
import { createExactPayment, type ExactPaymentDeps } from '../../../../gateway/access/payment/exact-payment.ts';
import { geocode } from '../../../../gateway/operations/geocode/operation.ts';
import type { LedgerClient } from '../../../../services/ledger/contract/client.ts';
import { LedgerUnavailableError } from '../../../../services/ledger/contract/ledger.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { SECRETS } from '../offer/offer-fixture.ts';

const PRESENTED = { payload: {}, offerSecret: 's', identifier: undefined, version: 2 };

/** A payment that is executed; the answer is kept so. */
function run(keep: LedgerClient['keep'], executionMs = 0) {
  let nowMs = 0;
  const done: string[] = [];
  const payment = createExactPayment({
    payments: {
      begin: async () => ({ outcome: { $case: 'execute', value: { claimId: 'c1', payer: '0x1' } } }),
      release: async () => void done.push('release'),
      settle: async () => ({ outcome: 1, paymentResponseJson: '{}' }),
    },
    ledger: { keep },
    execute: async () => {
      done.push('execute');
      nowMs += executionMs;
      return Buffer.from('{}');
    },
    admission: { run: (_client: string, work: () => Promise<unknown>) => work() },
    freeze: { state: () => 'open' },
    secrets: SECRETS,
    fingerprints: createFingerprints(Buffer.alloc(32, 1)),
    now: () => nowMs,
    logger: createLogger({ name: 'test', level: 'silent' }),
  } as unknown as ExactPaymentDeps);
  const request = { operation: geocode, body: { query: 'a' }, requestId: 'r1', client: '192.0.2.1' };
  return { done, outcome: payment.run(request as never, PRESENTED) };
}

const failing = (code: LedgerUnavailableError['code']) => () =>
  Promise.reject(new LedgerUnavailableError(code, 'a test'));

test('an execution whose answer may be kept is not released for another one', async (t) => {
  const { done, outcome } = run(failing('uncertain'));
  const error = await t.throwsAsync(outcome, { code: 'SETTLEMENT_PENDING', message: /same payment again/ });
  t.is((error as { readonly headers?: Record<string, string> }).headers?.['retry-after'], '5');
  t.deepEqual(done, ['execute']);
});

test('an execution whose answer is not kept is released', async (t) => {
  for (const keep of [failing('refused'), async () => 'superseded' as const]) {
    const { done, outcome } = run(keep);
    await t.throwsAsync(outcome, { code: 'PAYMENT_UNAVAILABLE' });
    t.deepEqual(done, ['execute', 'release']);
  }
});

test('an answer is kept until the lease of its claim ends', async (t) => {
  let withinMs: number | undefined;
  const { outcome } = run(async (_answer, given) => {
    withinMs = given;
    return 'kept';
  }, 3000);
  t.like(await outcome, { kind: 'settled' });
  t.is(withinMs, geocode.timeoutMs + 10_000 - 3000);
});
