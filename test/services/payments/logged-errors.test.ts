import test from 'ava';
import { RefusalCode } from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { createWallet, signPayment } from '../../helpers/chain.ts';
import { until } from '../../helpers/until.ts';
import { offerOf, present, refusalOf, startPayments } from './harness.ts';
import { startSandbox } from './test-sandbox.ts';

const sandbox = await startSandbox();
const payments = await startPayments({ env: sandbox.env });
test.after.always(async () => {
  await payments.stop();
  await sandbox.stop();
});

const MESSAGE = '"msg":"facilitator failure"';

test('while the node is away, one line says so, and no payment that it was asked about is in the log', async (t) => {
  const offer = offerOf(await payments.terms());
  const signed = await Promise.all([1, 2, 3].map(() => signPayment(createWallet(), offer)));
  await sandbox.killChain();
  for (const payment of signed) {
    const refused = await payments.begin(present(payment));
    t.is(refusalOf(refused), RefusalCode.REFUSAL_CODE_FACILITATOR_FAILURE);
  }
  await until(() => payments.log().includes(MESSAGE));
  t.is(payments.log().split(MESSAGE).length, 2);
  for (const { payload } of signed) t.false(payments.log().includes(payload.signature.slice(2, 66)));
});
