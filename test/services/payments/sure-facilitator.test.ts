import test from 'ava';
import { type Facilitator, FacilitatorError } from '../../../services/payments/facilitator/facilitator.ts';
import type { Payment } from '../../../services/payments/payment/payment.ts';
import { createSureFacilitator } from '../../../services/payments/sandbox/sure-facilitator.ts';

const payment = {} as Payment;
const transaction = `0x${'1'.repeat(64)}` as const;

/** Refuses everyone until its chain is set up, as an empty chain does. */
function onEmptyChain(prepare: () => Promise<void>): Facilitator {
  let isSetUp = false;
  const facilitator: Facilitator = {
    verify: async () => (isSetUp ? { ok: true } : { ok: false, reason: 'insufficient_funds' }),
    settle: async () => (isSetUp ? { kind: 'settled', transaction } : { kind: 'refused', reason: 'settlement_failed' }),
  };
  return createSureFacilitator({
    facilitator,
    prepare: async () => {
      await prepare();
      isSetUp = true;
    },
  });
}

const noNote = async () => {};

test('a refusal of an empty chain is tried again once the chain is set up', async (t) => {
  t.deepEqual(await onEmptyChain(async () => {}).verify(payment), { ok: true });
  t.deepEqual(await onEmptyChain(async () => {}).settle(payment, noNote), { kind: 'settled', transaction });
});

test('while the chain cannot be set up nothing is known of a payment, and nothing was sent', async (t) => {
  const facilitator = onEmptyChain(() => Promise.reject(new Error('no node')));
  await t.throwsAsync(facilitator.verify(payment), { instanceOf: FacilitatorError });
  t.deepEqual(await facilitator.settle(payment, noNote), { kind: 'unsent' });
});
