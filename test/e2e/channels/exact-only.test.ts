import { decodePaymentRequiredHeader } from '@x402/core/http';
import test from 'ava';
import { defined } from '../../../workers/exact/defined.ts';
import { CONVERT, headerOf, post, readAnswer } from '../../helpers/client.ts';
import { startStack } from '../../helpers/stack.ts';
import { BODY, createChannelBuyer, PRICE } from './channel-client.ts';

const stack = await startStack({});
test.after.always(() => stack.stop());
const [origin] = stack.urls;

test('with X402_SCHEMES=exact, channels are not offered, and have their answers, calls, corrections and refunds', async (t) => {
  const payments: Request[] = [];
  const buyer = await createChannelBuyer(origin, {
    async fetch(input, init) {
      const request = new Request(input, init);
      if (request.headers.has('payment-signature')) payments.push(request.clone());
      return fetch(request);
    },
  });
  for (let calls = 0; calls < 3; calls += 1) t.is((await buyer.call()).status, 200);
  const [, earlier, latest] = payments.map((request) => () => fetch(request.clone()));
  await stack.kill('payments');
  await stack.kill('gateway0');
  await stack.start('payments', { X402_SCHEMES: 'exact' });
  await stack.start('gateway0');
  const schemesOf = (header: string) => decodePaymentRequiredHeader(header).accepts.map(({ scheme }) => scheme);
  t.deepEqual(schemesOf(headerOf(await post(origin + CONVERT, BODY), 'payment-required')), ['exact']);
  t.is((await defined(latest)()).status, 200);
  const corrected = await readAnswer(await defined(earlier)());
  t.deepEqual(schemesOf(headerOf(corrected, 'payment-required')), ['exact', 'batch-settlement']);
  t.like(await buyer.refund(PRICE), { success: true, amount: `${PRICE}` });
});
