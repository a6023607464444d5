import test from 'ava';
import { RefusalCode, SettlementOutcome } from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { connectChain, createNonce, createWallet, signPayment, type Wallet } from '../../kit/chain.ts';
import { createTestDatabase } from '../../kit/test-database.ts';
import { HANG_MS } from '../../kit/until.ts';
import { AMOUNT, expectCase, offerOf, type Payments, present, refusalOf, startPayments } from './harness.ts';
import {
  answer,
  answerAfterPadding,
  type Behaviour,
  closedUrl,
  payerOf,
  startFacilitator,
  startRedirect,
  success,
} from './lying-facilitator.ts';
import { placeContracts, SANDBOX_ASSET, startSandbox } from './test-sandbox.ts';

const {
  SETTLEMENT_OUTCOME_SETTLED,
  SETTLEMENT_OUTCOME_FAILED,
  SETTLEMENT_OUTCOME_PENDING,
  SETTLEMENT_OUTCOME_NOT_SENT,
} = SettlementOutcome;

const sandbox = await startSandbox();
await placeContracts(sandbox.rpcUrl);
const chain = connectChain(sandbox.rpcUrl, SANDBOX_ASSET);
const facilitator = await startFacilitator(chain);
/** Otherwise a copy with a chain would ask it about the claims of the one without. */
const trustingDatabase = await createTestDatabase();
const env = {
  DATABASE_URL: sandbox.databaseUrl,
  X402_FACILITATOR_URL: facilitator.url,
  X402_PAY_TO: createWallet().address,
  X402_NETWORK: 'eip155:31337',
};
const withRpc = { ...env, X402_RPC_URL: sandbox.rpcUrl };
// The first checks the facilitator's answers on the chain. The second has no chain, and must trust them. The last waits
// for one second only.
const [proving, trusting, unreachable, hasty] = await Promise.all([
  startPayments({ env: withRpc }),
  startPayments({ env: { ...env, DATABASE_URL: trustingDatabase.url } }),
  startPayments({ env: { ...withRpc, X402_FACILITATOR_URL: await closedUrl() } }),
  startPayments({ env: { ...withRpc, SETTLE_TIMEOUT_MS: '1000' } }),
]);
const offer = offerOf(await proving.terms());
test.after.always(async () => {
  await Promise.all([proving, trusting, unreachable, hasty].map((service) => service.stop()));
  await facilitator.stop();
  await trustingDatabase.stop();
  await sandbox.stop();
});

async function fundedWallet(): Promise<Wallet> {
  const wallet = createWallet();
  await chain.mint(wallet.address, BigInt(AMOUNT) * 10n);
  return wallet;
}

/** Executes a payment. `behaviour` is what the facilitator does with its settlement. */
async function executing(service: Payments, behaviour?: Behaviour) {
  const wallet = await fundedWallet();
  const payment = await signPayment(wallet, offer);
  const { nonce } = payment.payload.authorization;
  if (behaviour) facilitator.behaviours.set(nonce, behaviour);
  const { claimId } = expectCase(await service.begin(present(payment)), 'execute');
  return {
    payment,
    claimId,
    settle: () => service.settle(claimId, JSON.stringify(payment)),
    begin: () => service.begin(present(payment)),
    behave: (next: Behaviour) => facilitator.behaviours.set(nonce, next),
    calls: () => facilitator.settleCalls.get(nonce) ?? 0,
    charged: async () => BigInt(AMOUNT) * 10n - (await chain.balanceOf(wallet.address)),
  };
}

const honest: Behaviour = async (payment, response) => answer(response, await success(chain, payment));
const saying =
  (body: unknown, status?: number): Behaviour =>
  (_, response) =>
    answer(response, body, status);
const refusal = (payment: Parameters<Behaviour>[0]) => ({
  success: false,
  errorReason: 'insufficient_funds',
  transaction: '',
  network: payment.accepted.network,
  payer: payerOf(payment),
});

for (const name of ['proving', 'trusting'] as const) {
  const service = () => (name === 'proving' ? proving : trusting);

  test(`${name}: an honest facilitator settles`, async (t) => {
    const { settle, begin, charged } = await executing(service());
    t.is((await settle()).outcome, SETTLEMENT_OUTCOME_SETTLED);
    t.is(await charged(), BigInt(AMOUNT));
    expectCase(await begin(), 'replay');
  });

  test(`${name}: an honest refusal closes the claim`, async (t) => {
    const { settle, begin, claimId } = await executing(service(), (payment, response) =>
      answer(response, refusal(payment)),
    );
    const { outcome, paymentResponseJson } = await settle();
    t.is(outcome, SETTLEMENT_OUTCOME_FAILED);
    t.like(JSON.parse(defined(paymentResponseJson)), { success: false, errorReason: 'insufficient_funds' });
    t.is(refusalOf(await begin()), RefusalCode.REFUSAL_CODE_CLOSED);
    // With a chain, the outcome stays open until the authorization expires: the payment may still settle.
    const expected = name === 'proving' ? SETTLEMENT_OUTCOME_PENDING : SETTLEMENT_OUTCOME_FAILED;
    t.is(await service().outcomeOf(claimId), expected);
  });

  test(`${name}: a refusal is one, whatever else is null, missing or empty`, async (t) => {
    const bodies: readonly object[] = [
      { success: false },
      { success: false, transaction: null, network: null, payer: null, errorReason: null },
      { success: false, transaction: '', network: '', payer: '', errorReason: '' },
      { success: false, errorReason: 'insufficient_funds', transaction: null, payer: '' },
    ];
    for (const body of bodies) {
      for (const status of [200, 400]) {
        const { settle, begin } = await executing(service(), saying(body, status));
        const { outcome, paymentResponseJson } = await settle();
        t.is(outcome, SETTLEMENT_OUTCOME_FAILED, JSON.stringify(body));
        const errorReason = 'errorReason' in body && body.errorReason ? body.errorReason : 'settlement_failed';
        t.like(JSON.parse(defined(paymentResponseJson)), { success: false, transaction: '', errorReason });
        t.is(refusalOf(await begin()), RefusalCode.REFUSAL_CODE_CLOSED);
      }
    }
  });

  test(`${name}: a refusal with a transaction, or that is pending, leaves the outcome open`, async (t) => {
    for (const body of [
      { success: false, transaction: createNonce() },
      { success: false, transaction: null, errorReason: 'settlement_pending' },
    ]) {
      const { settle, begin } = await executing(service(), saying(body));
      t.is((await settle()).outcome, SETTLEMENT_OUTCOME_PENDING);
      expectCase(await begin(), 'resume');
    }
  });

  test(`${name}: a facilitator may leave out the network and the payer, or send them empty`, async (t) => {
    for (const others of [{}, { network: null, payer: null }, { network: '', payer: '' }]) {
      const wallet = await fundedWallet();
      const payment = await signPayment(wallet, offer);
      const { nonce } = payment.payload.authorization;
      facilitator.verifies.set(nonce, saying({ isValid: true, ...others }));
      facilitator.behaviours.set(nonce, async (sent, response) => {
        const { success: isSuccess, transaction } = await success(chain, sent);
        answer(response, { success: isSuccess, transaction, ...others });
      });
      const { claimId } = expectCase(await service().begin(present(payment)), 'execute');
      t.is((await service().settle(claimId, JSON.stringify(payment))).outcome, SETTLEMENT_OUTCOME_SETTLED);
    }
  });

  test(`${name}: a malformed answer leaves the outcome open, and the same call resumes`, async (t) => {
    const nonsense: readonly Behaviour[] = [
      saying('banana'),
      saying([]),
      saying({ success: 'yes' }),
      saying({ success: true }),
      saying({ success: true, transaction: null, network: null, payer: '' }),
      saying({ success: true, transaction: '', network: 'eip155:31337' }),
      saying({ success: true, transaction: `0x${'0'.repeat(64)}`, network: 'eip155:31337' }),
      saying({ success: true, transaction: createNonce(), network: 'eip155:1' }),
      saying({ success: true, transaction: createNonce(), network: 'eip155:31337', payer: createWallet().address }),
      saying('<html>', 502),
      saying({ success: false, transaction: '', network: 'eip155:31337' }, 500),
    ];
    for (const behaviour of nonsense) {
      const { settle, begin, behave, charged, claimId } = await executing(service(), behaviour);
      t.is((await settle()).outcome, SETTLEMENT_OUTCOME_PENDING);
      t.is(expectCase(await begin(), 'resume').claimId, claimId);
      behave(honest);
      t.is((await settle()).outcome, SETTLEMENT_OUTCOME_SETTLED);
      t.is(await charged(), BigInt(AMOUNT));
    }
  });

  test(`${name}: a facilitator that rejects the request has sent nothing`, async (t) => {
    const { settle, begin, behave } = await executing(service(), saying('quota exceeded', 429));
    t.is((await settle()).outcome, SETTLEMENT_OUTCOME_NOT_SENT);
    expectCase(await begin(), 'resume');
    behave(honest);
    t.is((await settle()).outcome, SETTLEMENT_OUTCOME_SETTLED);
  });

  test(`${name}: after an attempt with an unknown outcome, no refusal or rejection is final`, async (t) => {
    const { settle, begin, behave, charged, payment } = await executing(service(), (_, response) => {
      response.socket?.destroy();
    });
    t.is((await settle()).outcome, SETTLEMENT_OUTCOME_PENDING);
    // The transaction of the first attempt may still wait to be mined.
    for (const answered of [
      saying('quota exceeded', 429),
      saying('time-out', 408),
      (sent, response) => answer(response, { ...refusal(sent), errorReason: 'duplicate_settlement' }),
    ] satisfies Behaviour[]) {
      behave(answered);
      t.is((await settle()).outcome, SETTLEMENT_OUTCOME_PENDING);
      expectCase(await begin(), 'resume');
    }
    await chain.submit(payment);
    behave(honest);
    if (name === 'proving') expectCase(await begin(), 'replay');
    t.is(await charged(), BigInt(AMOUNT));
  });

  test(`${name}: a second answer to one request is ignored`, async (t) => {
    const { settle, charged } = await executing(service(), async (payment, response) => {
      const body = JSON.stringify(await success(chain, payment));
      const whole = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
      response.socket?.end(whole + whole);
    });
    t.is((await settle()).outcome, SETTLEMENT_OUTCOME_SETTLED);
    t.is(await charged(), BigInt(AMOUNT));
  });

  test(`${name}: an invalid payment is not accepted, and a malformed verification is a failure of the facilitator`, async (t) => {
    const cases: readonly (readonly [Behaviour, RefusalCode, string])[] = [
      [
        saying({ isValid: false, invalidReason: 'insufficient_funds' }),
        RefusalCode.REFUSAL_CODE_NOT_ACCEPTED,
        'insufficient_funds',
      ],
      [
        saying({ isValid: false, invalidReason: '<b>at 10.0.0.7</b>' }),
        RefusalCode.REFUSAL_CODE_NOT_ACCEPTED,
        'verification_failed',
      ],
      [
        saying({ isValid: false, invalidReason: null, payer: '' }),
        RefusalCode.REFUSAL_CODE_NOT_ACCEPTED,
        'verification_failed',
      ],
      [saying({ isValid: false, invalidReason: 'expired' }, 400), RefusalCode.REFUSAL_CODE_NOT_ACCEPTED, 'expired'],
      [
        saying({ isValid: true, payer: createWallet().address }),
        RefusalCode.REFUSAL_CODE_FACILITATOR_FAILURE,
        'facilitator_failure',
      ],
      [saying('banana'), RefusalCode.REFUSAL_CODE_FACILITATOR_FAILURE, 'facilitator_failure'],
      [saying('no', 503), RefusalCode.REFUSAL_CODE_FACILITATOR_FAILURE, 'facilitator_failure'],
    ];
    for (const [behaviour, code, reason] of cases) {
      const payment = await signPayment(await fundedWallet(), offer);
      facilitator.verifies.set(payment.payload.authorization.nonce, behaviour);
      t.like(expectCase(await service().begin(present(payment)), 'refuse'), { code, reason });
    }
  });
}

test('an oversized answer is cut off: a verification fails, and a settlement has an unknown outcome', async (t) => {
  const padded: Behaviour = (sent, response) => answerAfterPadding(response, { isValid: true, payer: payerOf(sent) });
  const payment = await signPayment(await fundedWallet(), offer);
  facilitator.verifies.set(payment.payload.authorization.nonce, padded);
  t.is(refusalOf(await trusting.begin(present(payment))), RefusalCode.REFUSAL_CODE_FACILITATOR_FAILURE);
  const { settle } = await executing(trusting, (sent, response) =>
    answerAfterPadding(response, {
      success: true,
      transaction: createNonce(),
      network: 'eip155:31337',
      payer: payerOf(sent),
    }),
  );
  t.is((await settle()).outcome, SETTLEMENT_OUTCOME_PENDING);
});

test('a redirect is not followed: a verification fails, and a settlement has an unknown outcome', async (t) => {
  const payment = await signPayment(await fundedWallet(), offer);
  const verifier = await startRedirect({ isValid: true, payer: payerOf(payment) });
  const settler = await startRedirect({ success: true, transaction: createNonce(), network: 'eip155:31337' });
  t.teardown(verifier.stop);
  t.teardown(settler.stop);
  facilitator.verifies.set(payment.payload.authorization.nonce, verifier.redirect);
  t.is(refusalOf(await trusting.begin(present(payment))), RefusalCode.REFUSAL_CODE_FACILITATOR_FAILURE);
  const { settle } = await executing(trusting, settler.redirect);
  t.is((await settle()).outcome, SETTLEMENT_OUTCOME_PENDING);
  t.deepEqual([verifier.requests(), settler.requests()], [0, 0]);
});

test('proving: a settlement that is not on the chain leaves the outcome open', async (t) => {
  const { settle, begin, behave, charged } = await executing(proving, (payment, response) =>
    answer(response, { success: true, transaction: createNonce(), network: 'eip155:31337', payer: payerOf(payment) }),
  );
  t.is((await settle()).outcome, SETTLEMENT_OUTCOME_PENDING);
  t.is(await charged(), 0n);
  expectCase(await begin(), 'resume');
  behave(honest);
  t.is((await settle()).outcome, SETTLEMENT_OUTCOME_SETTLED);
});

test("proving: another payment's transaction leaves the outcome open", async (t) => {
  const other = await chain.submit(await signPayment(await fundedWallet(), offer));
  const { settle } = await executing(proving, saying({ success: true, transaction: other, network: 'eip155:31337' }));
  t.is((await settle()).outcome, SETTLEMENT_OUTCOME_PENDING);
});

test('proving: a settlement whose answer is lost is found on the chain', async (t) => {
  const { settle, begin, charged, calls } = await executing(proving, async (payment, response) => {
    await chain.submit(payment);
    response.socket?.destroy();
  });
  t.is((await settle()).outcome, SETTLEMENT_OUTCOME_SETTLED);
  t.is((await settle()).outcome, SETTLEMENT_OUTCOME_SETTLED);
  expectCase(await begin(), 'replay');
  t.is(await charged(), BigInt(AMOUNT));
  t.is(calls(), 1);
});

test('proving: a settlement that the facilitator denies is found on the chain', async (t) => {
  const { settle, charged } = await executing(proving, async (payment, response) => {
    await chain.submit(payment);
    answer(response, refusal(payment));
  });
  t.is((await settle()).outcome, SETTLEMENT_OUTCOME_SETTLED);
  t.is(await charged(), BigInt(AMOUNT));
});

test('proving: a settlement that the facilitator denied is found if it happens later', async (t) => {
  const { payment, settle, begin, claimId } = await executing(proving, (sent, response) =>
    answer(response, refusal(sent)),
  );
  t.is((await settle()).outcome, SETTLEMENT_OUTCOME_FAILED);
  await chain.submit(payment);
  t.is(expectCase(await begin(), 'replay').claimId, claimId);
});

test('trusting: without a chain, an open outcome stays open until the facilitator reports a settlement', async (t) => {
  const { settle, begin, behave, claimId, charged } = await executing(trusting, async (payment, response) => {
    await chain.submit(payment);
    response.socket?.destroy();
  });
  t.is((await settle()).outcome, SETTLEMENT_OUTCOME_PENDING);
  t.is(await trusting.outcomeOf(claimId), SETTLEMENT_OUTCOME_PENDING);
  expectCase(await begin(), 'resume');
  behave((payment, response) => answer(response, { ...refusal(payment), errorReason: 'nonce_already_used' }));
  t.is(
    (await settle()).outcome,
    SETTLEMENT_OUTCOME_PENDING,
    'a refusal of the second attempt may mean that the first one succeeded',
  );
  t.is(await charged(), BigInt(AMOUNT));
});

test('a verification that stalls is a failure of the facilitator', async (t) => {
  const payment = await signPayment(await fundedWallet(), offer);
  facilitator.verifies.set(payment.payload.authorization.nonce, () => {});
  t.is(refusalOf(await hasty.begin(present(payment))), RefusalCode.REFUSAL_CODE_FACILITATOR_FAILURE);
});

test('a facilitator that stalls leaves the outcome open, and the same call resumes', async (t) => {
  const { payment, claimId, settle, begin, behave, charged } = await executing(proving, () => {});
  t.is((await hasty.settle(claimId, JSON.stringify(payment))).outcome, SETTLEMENT_OUTCOME_PENDING);
  expectCase(await begin(), 'resume');
  behave(honest);
  t.is((await settle()).outcome, SETTLEMENT_OUTCOME_SETTLED);
  t.is(await charged(), BigInt(AMOUNT));
});

test('a verification by an unreachable facilitator is a failure of the facilitator', async (t) => {
  const payment = await signPayment(await fundedWallet(), offer);
  t.is(refusalOf(await unreachable.begin(present(payment))), RefusalCode.REFUSAL_CODE_FACILITATOR_FAILURE);
});

test('a settlement by an unreachable facilitator was not sent', async (t) => {
  const { claimId, payment, settle } = await executing(proving);
  t.is((await unreachable.settle(claimId, JSON.stringify(payment))).outcome, SETTLEMENT_OUTCOME_NOT_SENT);
  t.is((await settle()).outcome, SETTLEMENT_OUTCOME_SETTLED);
});

test('only the sandbox has a faucet, and a chain that callers may read', async (t) => {
  await t.throwsAsync(trusting.fund(createWallet().address), { code: 'SANDBOX_ONLY' });
  const read = { method: 'eth_chainId', paramsJson: '[]' };
  await t.throwsAsync(
    trusting.call((client) => client.readChain, read, { timeoutMs: HANG_MS }),
    { code: 'SANDBOX_ONLY' },
  );
});

test('a chain that is configured later proves earlier settlements', async (t) => {
  const { settle, begin, payment, charged } = await executing(trusting, async (sent, response) => {
    await chain.submit(sent);
    response.destroy();
  });
  t.is((await settle()).outcome, SETTLEMENT_OUTCOME_PENDING);
  expectCase(await begin(), 'resume');
  const configured = await startPayments({ env: { ...withRpc, DATABASE_URL: trustingDatabase.url } });
  t.teardown(configured.stop);
  expectCase(await configured.begin(present(payment)), 'replay');
  t.is(await charged(), BigInt(AMOUNT));
});
