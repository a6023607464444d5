import test from 'ava';
import { sql } from 'kysely';
import { RefusalCode, SettlementOutcome } from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { createWallet, signPayment, type Wallet } from '../../kit/chain.ts';
import { until } from '../../kit/until.ts';
import { burningAfter } from './burning-code.ts';
import { AMOUNT, expectCase, present, refusalOf } from './harness.ts';
import { CONFIRMATIONS, PAYEE, startOwnPayee } from './own-payee.ts';

const stack = await startOwnPayee({ SETTLE_TIMEOUT_MS: '10000', X402_REPLACE_AFTER_MS: '600000' });
const { chain, offer, database } = stack;
const service = stack.service();
test.after.always(() => stack.stop());

const sentTransactions = () => chain.node.getTransactionCount({ address: PAYEE });

async function newPayer() {
  const wallet = createWallet();
  await chain.mint(wallet.address, 10n * BigInt(AMOUNT));
  const sign = () => signPayment(wallet, offer);
  /** Its code says yes up to now, and uses up the gas of the next transaction. */
  const turn = async () => {
    await chain.node.setCode({
      address: wallet.address,
      bytecode: burningAfter(await chain.node.getBlockNumber({ cacheTime: 0 })),
    });
  };
  const fail = async () => {
    const payment = await sign();
    const { claimId } = expectCase(await service.begin(present(payment)), 'execute');
    await turn();
    const { outcome } = await service.settle(claimId, JSON.stringify(payment));
    return { payment, claimId, outcome };
  };
  return { wallet, sign, fail };
}

test.serial('a payment whose code says no in the transaction has failed, and nothing is sent again', async (t) => {
  const { wallet, fail } = await newPayer();
  const before = await sentTransactions();
  const { payment, claimId, outcome } = await fail();
  t.is(outcome, SettlementOutcome.SETTLEMENT_OUTCOME_FAILED);
  await chain.node.setCode({ address: wallet.address, bytecode: '0x' });
  for (let index = 0; index < 3; index += 1) {
    t.is(refusalOf(await service.begin(present(payment))), RefusalCode.REFUSAL_CODE_CLOSED);
    const { outcome: again } = await service.settle(claimId, JSON.stringify(payment));
    t.is(again, SettlementOutcome.SETTLEMENT_OUTCOME_FAILED);
  }
  t.is((await sentTransactions()) - before, 1);
  await chain.submit(payment);
  expectCase(await service.begin(present(payment)), 'replay');
});

test.serial('such payments are the failures of their payer', async (t) => {
  const { wallet, sign, fail } = await newPayer();
  const before = await sentTransactions();
  for (let index = 0; index < 5; index += 1) {
    t.is((await fail()).outcome, SettlementOutcome.SETTLEMENT_OUTCOME_FAILED);
    await chain.node.setCode({ address: wallet.address, bytecode: '0x' });
  }
  t.is((await sentTransactions()) - before, 5);
  t.is(refusalOf(await service.begin(present(await sign()))), RefusalCode.REFUSAL_CODE_THROTTLED);
});

test.serial('an account that has delegated to code pays, and its code decides what it signed', async (t) => {
  const { wallet, sign } = await newPayer();
  const delegate = createWallet().address;
  await chain.node.setCode({ address: delegate, bytecode: burningAfter(10n ** 9n) });
  await chain.node.setCode({ address: wallet.address, bytecode: `0xef0100${delegate.slice(2)}` });
  const payment = await sign();
  const { claimId } = expectCase(await service.begin(present(payment)), 'execute');
  const { outcome } = await service.settle(claimId, JSON.stringify(payment));
  t.is(outcome, SettlementOutcome.SETTLEMENT_OUTCOME_SETTLED);
  await chain.node.setCode({ address: delegate, bytecode: '0x60205ff3' });
  t.is(refusalOf(await service.begin(present(await sign()))), RefusalCode.REFUSAL_CODE_NOT_ACCEPTED);
});

test.serial(
  'what was counted for an honest payer is given back, although its settlement was not waited for',
  async (t) => {
    const { wallet, sign } = await newPayer();
    await chain.node.setCode({ address: wallet.address, bytecode: burningAfter(10n ** 9n) });
    const payment = await sign();
    const { claimId } = expectCase(await service.begin(present(payment)), 'execute');
    const isCounted = async () => {
      const { rows } = await sql`SELECT FROM ledger.spent_gas
      WHERE account = ${wallet.address.toLowerCase()}`.execute(database);
      return rows.length > 0;
    };
    await chain.node.setAutomine(false);
    const settling = service.settle(claimId, JSON.stringify(payment));
    t.true(await until(isCounted));
    t.is((await settling).outcome, SettlementOutcome.SETTLEMENT_OUTCOME_PENDING);
    t.true(await isCounted());
    await chain.node.setAutomine(true);
    await chain.node.mine({ blocks: 1 });
    t.is(
      (await service.settle(claimId, JSON.stringify(payment))).outcome,
      SettlementOutcome.SETTLEMENT_OUTCOME_SETTLED,
    );
    t.false(await isCounted());
  },
);

test.serial('the gas of a payment that was never mined is given back once it can never be', async (t) => {
  const { node } = chain;
  const { wallet } = await newPayer();
  await node.setCode({ address: wallet.address, bytecode: burningAfter(10n ** 9n) });
  const { timestamp } = await node.getBlock();
  const validBefore = Math.max(Number(timestamp), Math.floor(Date.now() / 1000)) + 300;
  const payment = await signPayment(wallet, offer, { validBefore: `${validBefore}` });
  const { claimId } = expectCase(await service.begin(present(payment)), 'execute');
  const settle = async () => (await service.settle(claimId, JSON.stringify(payment))).outcome;
  await node.setAutomine(false);
  t.is(await settle(), SettlementOutcome.SETTLEMENT_OUTCOME_PENDING);
  const { pending } = await node.getTxpoolContent();
  for (const { hash } of Object.values(pending).flatMap((byNonce) => Object.values(byNonce))) {
    await node.dropTransaction({ hash });
  }
  await node.setAutomine(true);
  await chain.passTime(validBefore + 1);
  await node.mine({ blocks: CONFIRMATIONS + 1 });
  t.true(await until(async () => (await settle()) === SettlementOutcome.SETTLEMENT_OUTCOME_FAILED));
  const { rows } = await sql`SELECT FROM ledger.spent_gas
    WHERE account = ${wallet.address.toLowerCase()}`.execute(database);
  t.is(rows.length, 0);
});

async function failuresOf({ address }: Wallet): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT cardinality(failures)::integer AS count FROM ledger.payer WHERE address = ${address.toLowerCase()}`.execute(
    database,
  );
  return rows[0]?.count ?? 0;
}

test.serial('a payment whose authorization was cancelled is one failure of its payer', async (t) => {
  const { wallet, payment, claimId } = await stack.executed();
  await chain.cancel(wallet, stack.offer, payment.payload.authorization.nonce);
  t.is((await service.settle(claimId, JSON.stringify(payment))).outcome, SettlementOutcome.SETTLEMENT_OUTCOME_FAILED);
  t.is(await failuresOf(wallet), 1);
  await chain.node.mine({ blocks: CONFIRMATIONS });
  t.true(
    await until(async () => {
      // The service asks the chain about it when it is due.
      await sql`UPDATE ledger.payment_claim SET due_at = ledger.clock() WHERE claim_id = ${claimId} AND NOT is_final`.execute(
        database,
      );
      const { rows } = await sql<{
        is_final: boolean;
      }>`SELECT is_final FROM ledger.payment_claim WHERE claim_id = ${claimId}`.execute(database);
      return rows[0]?.is_final === true;
    }),
  );
  t.is(await failuresOf(wallet), 1, 'after the cancellation is final');
});
