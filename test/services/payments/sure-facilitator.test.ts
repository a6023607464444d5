import test from 'ava';
import { type Facilitator, FacilitatorError } from '../../../services/payments/facilitator/facilitator.ts';
import { createPaymentReader } from '../../../services/payments/payment/payment.ts';
import { createTerms, offerOf } from '../../../services/payments/payment/terms.ts';
import { createSureFacilitator } from '../../../services/payments/sandbox/sure-facilitator.ts';
import { createWallet, signPayment } from '../../kit/chain.ts';

const terms = createTerms({ network: 'eip155:31337', payTo: createWallet().address, sandbox: true });
const signed = await signPayment(createWallet(), offerOf(terms, '3000'));
const read = createPaymentReader(terms)(JSON.stringify(signed), '3000');
if (!read.ok) throw new Error(read.reason);
const { payment } = read;
const transaction = `0x${'1'.repeat(64)}` as const;

/** A facilitator that refuses every payment until its chain is set up, as on an empty chain. */
function onEmptyChain(prepare: () => Promise<void>): Facilitator {
  let isSetUp = false;
  const facilitator: Facilitator = {
    verify: async () => (isSetUp ? { ok: true } : { ok: false, reason: 'insufficient_funds' }),
    settle: async () => (isSetUp ? { kind: 'settled', transaction } : { kind: 'refused', reason: 'settlement_failed' }),
  };
  return createSureFacilitator(facilitator, {
    prepare: async () => {
      await prepare();
      isSetUp = true;
    },
    refresh: async () => {},
  });
}

const noNote = async () => {};

test('a payment that an empty chain refused is tried again once the chain is set up', async (t) => {
  t.deepEqual(await onEmptyChain(async () => {}).verify(payment), { ok: true });
  t.deepEqual(await onEmptyChain(async () => {}).settle(payment, noNote), { kind: 'settled', transaction });
});

test('while the chain cannot be set up, a verification fails and a settlement is not sent', async (t) => {
  const facilitator = onEmptyChain(() => Promise.reject(new Error('no node')));
  await t.throwsAsync(facilitator.verify(payment), { instanceOf: FacilitatorError });
  t.deepEqual(await facilitator.settle(payment, noNote), { kind: 'unsent' });
});
