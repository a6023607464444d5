import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import pg from 'pg';
import { getAddress } from 'viem';
import { defined } from '../../workers/exact/defined.ts';
import { connectChain, createWallet } from '../helpers/chain.ts';
import {
  type Answer,
  CONVERT,
  codeOf,
  fundedWallet,
  pay,
  post,
  requirementsOf,
  signIn,
  toBase64,
  tryOnce,
} from '../helpers/client.ts';
import { startStack } from '../helpers/stack.ts';
import { withLedger } from '../helpers/stack-ledger.ts';
import { until } from '../helpers/until.ts';

const PRICE = 3000;
/** Codes of answers to a payment while its first request is in progress. */
const LATER: readonly unknown[] = ['SERVICE_UNAVAILABLE', 'SETTLEMENT_PENDING'];
const BODY = { html: '<h1>Load</h1>' };
const WALLETS = 200;
/** The first two tests use 64 and 16 trials. The rest is enough for half of the wallets of the third test. */
const BUDGET = (64 + 16 + WALLETS / 2) * PRICE;

const stack = await startStack({
  gateways: 2,
  // No call may fail for lack of a worker, so that only credit and budget decide which calls are charged.
  env: { backoffice: { TRIAL_DAILY_BUDGET_MICRO_USD: String(BUDGET) }, content: { CONTENT_QUEUE: '1000' } },
});
test.after.always(() => stack.stop());

const gatewayOf = (index: number) => defined(stack.urls[index % stack.urls.length]);
const isCharged = ({ status, headers }: Answer) =>
  status === 200 &&
  headers.get('x-trial-status') === 'charged' &&
  headers.get('x-trial-accounting-status') === 'confirmed';

const TRIES = 30;

/** On a busy machine, a gateway may refuse requests for a second, or an execution may fail and release its credit. */
const isBusy = (answer: Answer): boolean =>
  codeOf(answer) === 'OVERLOADED' || (answer.status >= 500 && answer.headers.get('x-trial-status') === 'released');

async function untilServed(call: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    const answer = await call();
    if (!isBusy(answer) || tries === TRIES) return answer;
    // A released trial has no Retry-After.
    await delay(1000 * Number(answer.headers.get('retry-after') ?? '1'));
  }
}

test.serial('answers 64 trials at once, right after the start', async (t) => {
  const [url] = stack.urls;
  const wallets = Array.from({ length: 64 }, createWallet);
  const proofs = await Promise.all(wallets.map(async (wallet) => signIn(await post(url + CONVERT, BODY), wallet)));
  const answers = await Promise.all(
    proofs.map((proof) => post(url + CONVERT, BODY, { 'sign-in-with-x': toBase64(proof) })),
  );
  t.deepEqual(
    answers.filter((answer) => !isCharged(answer)).map(({ text }) => text),
    [],
  );
});

test.serial('charges as many of 100 parallel calls of one wallet over two gateways as its credit allows', async (t) => {
  const wallet = createWallet();
  const proofs = await Promise.all(
    Array.from({ length: 100 }, async (_, index) =>
      toBase64(await signIn(await post(gatewayOf(index) + CONVERT, BODY), wallet)),
    ),
  );
  const answers = await Promise.all(
    proofs.map((proof, index) => post(gatewayOf(index) + CONVERT, BODY, { 'sign-in-with-x': proof })),
  );
  t.is(answers.filter(isCharged).length, 16);
  for (const answer of answers.filter((one) => !isCharged(one))) {
    const isDenied = answer.status === 402 && answer.headers.get('x-trial-status') === 'insufficient_balance';
    // A gateway executes no more calls at a time than it can answer in time, and refuses the others.
    const isRefused = ['TRIAL_UNAVAILABLE', 'OVERLOADED'].includes(String(codeOf(answer)));
    t.true(isDenied || isRefused, `${answer.status} ${answer.text}`);
    if (isDenied) t.is(answer.headers.get('x-trial-balance-atomic'), '2000');
  }
  await withLedger(stack, async (ledger) => {
    t.deepEqual((await ledger.audit()).violations, []);
    t.is(await ledger.balance(wallet.address), 2000n);
  });
});

test.serial(`charges as many of ${WALLETS} parallel wallets as the daily budget allows`, async (t) => {
  const wallets = Array.from({ length: WALLETS }, createWallet);
  const earlier = toBase64(await signIn(await post(gatewayOf(0) + CONVERT, BODY), createWallet()));
  const answers = await Promise.all(
    wallets.map((wallet, index) => untilServed(() => tryOnce(gatewayOf(index), BODY, wallet)).catch(() => undefined)),
  );
  // Once the budget is known to be exhausted, wallets are denied when they ask for a challenge.
  const charged = answers.filter((answer) => answer !== undefined && isCharged(answer));
  const others = answers.filter((answer) => answer !== undefined && !isCharged(answer));
  t.deepEqual([...new Set(others.map((answer) => answer?.headers.get('x-trial-status')))], ['daily_budget_exhausted']);
  t.is(charged.length, WALLETS / 2);

  await withLedger(
    stack,
    async (ledger) => {
      const report = await ledger.audit();
      t.deepEqual(report.violations, []);
      t.is(report.pending, 0);
      const balances = await Promise.all(wallets.map((wallet) => ledger.balance(wallet.address)));
      const model = answers.map((answer) => (answer !== undefined && isCharged(answer) ? 47_000n : 50_000n));
      t.deepEqual(balances, model);
      t.is((await ledger.budget()).remainingMicroUsd, 0n);
    },
    BigInt(BUDGET),
  );

  const url = gatewayOf(0) + CONVERT;
  // A gateway asks for what is left from time to time.
  const isKnown = async () => (await post(url, BODY)).headers.get('x-trial-status') !== 'challenge';
  t.true(await until(isKnown));
  for (const late of [await post(url, BODY), await post(url, BODY, { 'sign-in-with-x': earlier })]) {
    t.is(late.status, 402);
    t.is(late.headers.get('x-trial-status'), 'daily_budget_exhausted');
    t.like(requirementsOf(late).extensions['seller-trial']?.info, {
      status: 'daily_budget_exhausted',
      nextStep: { action: 'wait_or_choose_paid_request' },
    });
    t.is(late.json?.['quickstartUrl'], undefined);
  }
});

test.serial('executes and settles 50 parallel requests with one payment over two gateways once', async (t) => {
  const wallet = await fundedWallet(stack.urls[0]);
  const required = requirementsOf(await post(stack.urls[0] + CONVERT, {}));
  const chain = connectChain(stack.chainUrl, required.accepts[0].asset);
  const payee = getAddress(required.accepts[0].payTo);
  const before = await chain.balanceOf(payee);
  const payment = await pay(required, wallet);
  const send = (index: number) => post(gatewayOf(index) + CONVERT, BODY, { 'payment-signature': payment });
  const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => send(index)));

  const paid = answers.filter(({ status }) => status === 200);
  t.true(paid.length >= 1);
  t.is(new Set(paid.map(({ headers }) => headers.get('payment-response'))).size, 1);
  t.is(new Set(paid.map(({ text }) => text)).size, 1);
  for (const answer of answers.filter(({ status }) => status !== 200))
    t.true(LATER.includes(codeOf(answer)), answer.text);
  t.is((await send(1)).status, 200, 'a repeated request gets the result');
  t.is(await chain.balanceOf(payee), before + BigInt(PRICE));
  t.is(await chain.balanceOf(wallet.address), 10_000_000n - BigInt(PRICE));

  const database = new pg.Client(stack.databaseUrl);
  await database.connect();
  const { rows } = await database.query("SELECT record_id FROM retained_body WHERE access = 'payment'");
  t.is(rows.length, 1);
  await database.end();
});
