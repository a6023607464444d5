import test from 'ava';
import { isRecord } from '../../services/platform/is-record.ts';
import { BODY } from '../e2e/channels/channel-client.ts';
import { CONVERT, fromBase64, fundedWallet, pay, post, requirementsOf } from '../helpers/client.ts';
import { startStack } from '../helpers/stack.ts';

const stack = await startStack({});
test.after.always(() => stack.stop());
const url = stack.urls[0] + CONVERT;

test('no log has the signature of a payment that was not sent to the chain', async (t) => {
  const wallet = await fundedWallet(stack.urls[0]);
  const payment = await pay(requirementsOf(await post(url, BODY)), wallet);
  const decoded = fromBase64(payment);
  const payload = isRecord(decoded) ? decoded['payload'] : undefined;
  const signature = String(isRecord(payload) ? payload['signature'] : undefined).slice(2);
  await stack.kill('anvil');
  const refused = await post(url, BODY, { 'payment-signature': payment });
  t.log(refused.status, refused.text);
  t.true(refused.status >= 500);
  const r = signature.slice(0, 64);
  for (const name of ['payments', 'gateway0', 'backoffice']) {
    const lines = stack.log(name).filter((line) => line.includes(r));
    for (const line of lines.slice(0, 2))
      t.log(name, line.length, line.slice(0, 400), '…', line.slice(line.indexOf(r) - 200, line.indexOf(r) + 140));
    t.deepEqual(
      lines.length,
      0,
      `${name} logs a payment that is not public: who reads the log can spend it on a request of its own`,
    );
  }
});
