import test from 'ava';
import { RefusalCode } from '../../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { until } from '../../../kit/until.ts';
import { createLedgerDatabase } from '../../ledger/store/store-fixture.ts';
import { expectCase } from '../harness.ts';
import { openBegin, refusal, settled } from './begin-fixture.ts';

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

test('payments that were settled do not hold up the next one, for which there is money', async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const slow = { nonce: '', isVerifying: false };
  const stack = openBegin(t, database, async (nonce) => {
    if (nonce !== slow.nonce) return;
    slow.isVerifying = true;
    await promise;
  });
  const wallet = stack.fund(6000n);
  const [one, two, three] = await Promise.all([stack.pay(wallet), stack.pay(wallet), stack.pay(wallet)]);
  slow.nonce = two.nonce;
  const second = stack.begin(two);
  await until(() => slow.isVerifying);
  await settled(stack, one);
  resolve();
  expectCase(await second, 'execute');
  const reason =
    'invalid_exact_evm_insufficient_balance: the balance is 3000, of which 3000 is in flight, and this payment is of 3000';
  t.deepEqual(await stack.begin(three), refusal(RefusalCode.REFUSAL_CODE_NOT_ACCEPTED, reason));
});
