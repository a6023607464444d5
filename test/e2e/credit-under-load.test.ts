import test from 'ava';
import {
  type Buyer,
  eventuallyAnswered,
  FUNDS,
  GRANT,
  isConfirmed,
  openBuyers,
  PRICE,
  type SignedCall,
} from '../kit/buyers.ts';
import { connectChain } from '../kit/chain.ts';
import { type Answer, CONVERT, codeOf, errorOf, headerOf, post, requirementsOf } from '../kit/client.ts';
import { startExtraGateway } from '../kit/extra-gateway.ts';
import { startExtraService } from '../kit/extra-service.ts';
import { useSharedStack } from '../kit/shared-stack.ts';
import { withLedger } from '../kit/stack-ledger.ts';
import { until } from '../kit/until.ts';

const BODY = { html: '<h1>Load</h1>' };
/** Codes of answers to a payment while its first request is in progress. */
const LATER: readonly unknown[] = ['SERVICE_UNAVAILABLE', 'SETTLEMENT_PENDING', 'OVERLOADED'];

const stack = await useSharedStack();
const [origin] = stack.urls;
const PUBLIC_URLS = origin;
const gateway = await startExtraGateway(stack, { PUBLIC_URLS });
test.after.always(async () => {
  await gateway.stop();
  await stack.stop();
});

const signMany = (buyer: Buyer, count: number): Promise<readonly SignedCall[]> =>
  Promise.all(Array.from({ length: count }, () => buyer.sign(CONVERT, BODY)));
const sendAlternately = (calls: readonly SignedCall[]): Promise<readonly Answer[]> =>
  Promise.all(calls.map((call, index) => call.send(index % 2 === 0 ? origin : gateway.url)));

test('charges as many parallel calls of one wallet over two gateways as its credit allows', async (t) => {
  const buyer = openBuyers(origin).trial();
  const others = (await sendAlternately(await signMany(buyer, 50))).filter((answer) => !isConfirmed(answer));
  for (const answer of others) {
    const isDenied = answer.status === 402 && answer.headers.get('x-trial-status') === 'insufficient_balance';
    // A gateway executes no more calls at a time than it can answer in time, and refuses the others.
    t.true(isDenied || ['TRIAL_UNAVAILABLE', 'OVERLOADED'].includes(String(codeOf(answer))), answer.text);
  }
  // A busy machine may have refused some that the credit would cover.
  const denied = await until(async () => {
    const answer = await buyer.call(CONVERT, BODY);
    return answer.status === 402 && answer;
  });
  t.is(buyer.calls.filter(({ answers }) => answers.some(isConfirmed)).length, 16);
  t.is(await withLedger(stack, (ledger) => ledger.balance(buyer.wallet.address)), GRANT - 16n * PRICE);
  t.is(denied.headers.get('x-trial-status'), 'insufficient_balance');
  t.is(denied.headers.get('x-trial-balance-atomic'), '2000');
  const { extensions } = requirementsOf(denied);
  t.like(extensions['seller-trial']?.info, {
    status: 'insufficient_balance',
    balanceAtomic: '2000',
    nextStep: { action: 'choose_paid_request' },
  });
  t.is(extensions['sign-in-with-x'], undefined);
  t.is(denied.json?.['quickstartUrl'], undefined);
});

test('executes and settles parallel requests with one payment over two gateways once', async (t) => {
  const buyer = await openBuyers(origin).exact();
  const call = await buyer.sign(CONVERT, BODY);
  const sent = await sendAlternately(Array.from({ length: 30 }, () => call));
  const answers = [...sent, await eventuallyAnswered(call)];
  const paid = answers.filter(({ status }) => status === 200);
  t.is(new Set(paid.map((answer) => headerOf(answer, 'payment-response'))).size, 1);
  t.is(new Set(paid.map(({ text }) => text)).size, 1);
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    t.true(LATER.includes(errorOf(answer).code), answer.text);
  }
  const [{ asset }] = requirementsOf(await post(origin + CONVERT, {})).accepts;
  t.is(await connectChain(stack.chainUrl, asset).balanceOf(buyer.wallet.address), FUNDS - PRICE);
});

test('trials are denied, signed or not, once the daily budget is used up', async (t) => {
  const BACKOFFICE_URL = startExtraService(t, 'backoffice', {
    DATABASE_URL: stack.databaseUrl,
    REDIS_URL: stack.redisUrl,
    PAYMENTS_URL: `unix:${stack.runDir}/payments.sock`,
    VERIFICATION_URL: `unix:${stack.runDir}/verification.sock`,
    TOLLHOUSE_DATA: stack.dataDir,
    TRIAL_DAILY_BUDGET_MICRO_USD: String(GRANT),
  });
  const poor = await startExtraGateway(stack, { PUBLIC_URLS, BACKOFFICE_URL });
  t.teardown(poor.stop);
  // The shared stack has a larger budget. What other tests used up of it counts here, too.
  for (let spent = 0n; spent < GRANT; spent += PRICE) await openBuyers(origin).trial().call(CONVERT, BODY);
  const denied = async (send: () => Promise<Answer>) =>
    until(async () => {
      const answer = await send();
      return answer.headers.get('x-trial-status') === 'daily_budget_exhausted' && answer;
    });
  const signed = await openBuyers(origin).trial().sign(CONVERT, BODY);
  for (const send of [() => post(poor.url + CONVERT, BODY), () => signed.send(poor.url)]) {
    const answer = await denied(send);
    t.is(answer.status, 402);
    t.like(requirementsOf(answer).extensions['seller-trial']?.info, {
      status: 'daily_budget_exhausted',
      nextStep: { action: 'wait_or_choose_paid_request' },
    });
    t.is(answer.json?.['quickstartUrl'], undefined);
  }
});
