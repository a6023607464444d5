import test from 'ava';
import { createWallet } from '../helpers/chain.ts';
import { CONVERT, codeOf, fundedWallet, pay, post, requirementsOf, tryOnce } from '../helpers/client.ts';
import { type Stack, startStack } from '../helpers/stack.ts';

let stack: Stack;
test.before(async () => {
  stack = await startStack();
});
test.after.always(() => stack?.stop());

const BODY = { html: '<h1>Slow</h1>' };

test.serial('an operation that takes too long is 504, released, and its credit is back', async (t) => {
  stack.signal('content', 'SIGSTOP');
  const answer = await tryOnce(stack.urls[0], BODY, createWallet());
  stack.signal('content', 'SIGCONT');
  t.deepEqual([answer.status, codeOf(answer)], [504, 'UPSTREAM_TIMEOUT']);
  t.is(answer.headers.get('x-access-mode'), 'trial');
  t.is(answer.headers.get('x-trial-status'), 'released');
  t.is(answer.headers.get('x-trial-balance-atomic'), '50000');
});

test.serial('a payment that cannot be verified is 502, and is good again when the chain is back', async (t) => {
  const url = stack.urls[0] + CONVERT;
  const wallet = await fundedWallet(stack.urls[0]);
  const payment = await pay(requirementsOf(await post(url, {})), wallet);
  stack.signal('anvil', 'SIGSTOP');
  const answer = await post(url, BODY, { 'payment-signature': payment });
  stack.signal('anvil', 'SIGCONT');
  t.deepEqual([answer.status, codeOf(answer)], [502, 'UPSTREAM_FAILURE']);
  t.false(/127\.0\.0\.1|ECONN|fetch/.test(answer.text));
  t.is((await post(url, BODY, { 'payment-signature': payment })).status, 200);
});
