import test from 'ava';
import { getAddress, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { SettlementOutcome } from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { waitFor } from '../../../scripts/launch/processes/wait-for.ts';
import { createLogger } from '../../../services/platform/process/logger.ts';
import { type Database, openDatabase } from '../../../services/store/database.ts';
import { defined } from '../../../workers/exact/defined.ts';
import {
  connectChain,
  createWallet,
  type Offer,
  type PaymentPayload,
  signPayment,
  type TestChain,
  type WireAuthorization,
} from '../../helpers/chain.ts';
import { AMOUNT, expectCase, offerOf, type Payments, present, startPayments } from './harness.ts';
import { openRetainedResults, type RetainedResults } from './retained-results.ts';
import { startSandbox, type TestSandbox } from './test-sandbox.ts';

/** Anvil's third development account. It is the signer and the payee. */
const SIGNER_KEY = '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a';
const PAYEE = privateKeyToAccount(SIGNER_KEY).address;
const WAIT = { timeoutMs: 20_000 };
const REORGANIZED_BLOCKS = 5;

let sandbox: TestSandbox;
let database: Database;
let results: RetainedResults;
let offer: Offer;
let chain: TestChain;
let env: Readonly<Record<string, string>>;
let service: Payments;

test.before(async () => {
  sandbox = await startSandbox();
  const founder = await startPayments({ env: sandbox.env });
  const { asset } = await founder.terms();
  await founder.kill();
  chain = connectChain(sandbox.rpcUrl, getAddress(asset));
  results = await openRetainedResults(sandbox.databaseUrl);
  const logger = createLogger({ name: 'test', level: 'silent' });
  database = openDatabase({ url: sandbox.databaseUrl, connections: 2, logger });
  const { REDIS_URL, DATABASE_URL, TOLLHOUSE_DATA } = sandbox.env;
  env = {
    REDIS_URL: defined(REDIS_URL),
    DATABASE_URL: defined(DATABASE_URL),
    TOLLHOUSE_DATA: defined(TOLLHOUSE_DATA),
    X402_SIGNER_KEY: SIGNER_KEY,
    X402_RPC_URL: sandbox.rpcUrl,
    X402_PAY_TO: PAYEE,
    X402_NETWORK: 'eip155:31337',
    X402_CONFIRMATIONS: '8',
    X402_FINALITY_INTERVAL_MS: '100',
  };
  service = await startPayments({ env });
  offer = offerOf(await service.terms());
});
test.after.always(async () => {
  await database?.destroy();
  await results?.close();
  await service?.kill();
  await sandbox?.stop();
});

interface Settled {
  readonly payment: PaymentPayload;
  readonly claimId: string;
  readonly transaction: Hex;
}

/** Pays from a new wallet, with three blocks on top of the settlement. */
async function settled(changes: Partial<WireAuthorization> = {}): Promise<Settled> {
  const wallet = createWallet();
  await chain.mint(wallet.address, BigInt(AMOUNT) * 10n);
  await chain.node.mine({ blocks: REORGANIZED_BLOCKS });
  const validBefore = `${Math.floor(Date.now() / 1000) + 600}`;
  const payment = await signPayment(wallet, offer, { validBefore, ...changes });
  const execute = expectCase(await service.begin(present(payment, { operationTimeoutMs: 1000 })), 'execute');
  await results.retain(execute);
  const { claimId } = execute;
  const { outcome, paymentResponseJson } = await service.settle(claimId, JSON.stringify(payment));
  if (outcome !== SettlementOutcome.SETTLEMENT_OUTCOME_SETTLED) throw new Error(`settled with ${outcome}`);
  await chain.node.mine({ blocks: 3 });
  await untilLocated(claimId);
  return { payment, claimId, transaction: JSON.parse(defined(paymentResponseJson)).transaction };
}

const claimOf = async (claimId: string) => defined(await results.claimOf(claimId));

async function untilLocated(claimId: string): Promise<void> {
  const isLocated = await waitFor(async () => (await claimOf(claimId)).block_number !== null, WAIT);
  if (!isLocated) throw new Error('the settlement was not located');
}

const authorizationOf = (claimId: string) =>
  database.selectFrom('payment_authorization').selectAll().where('claim_id', '=', claimId).executeTakeFirst();

const chargedTo = async ({ payload }: PaymentPayload) =>
  BigInt(AMOUNT) * 10n - (await chain.balanceOf(payload.authorization.from));

test.serial('a settlement is final after enough blocks, and its authorization is deleted then', async (t) => {
  const { claimId, payment, transaction } = await settled();
  t.like(await claimOf(claimId), { outcome: 'settled', transaction, finalized_at: null, lost_at: null });
  const kept = defined(await authorizationOf(claimId));
  t.false(kept.sealed.includes(payment.payload.signature.slice(2, 20)));
  t.false(kept.sealed.includes(Buffer.from(payment.payload.signature.slice(2), 'hex').subarray(0, 8)));
  await chain.node.mine({ blocks: 3 });
  t.is((await claimOf(claimId)).finalized_at, null);
  await chain.node.mine({ blocks: 1 });
  t.true(await waitFor(async () => (await claimOf(claimId)).finalized_at !== null, WAIT));
  t.is(await authorizationOf(claimId), undefined);
  t.is(await chargedTo(payment), BigInt(AMOUNT));
});

test.serial(
  'a settlement that a reorganization removes is sent again, once, also by a service that restarts',
  async (t) => {
    const { claimId, payment, transaction } = await settled();
    await service.kill();
    await chain.reorganize(REORGANIZED_BLOCKS);
    t.is(await chargedTo(payment), 0n, 'the reorganization took the money back');
    service = await startPayments({ env });
    t.true(await waitFor(async () => (await chargedTo(payment)) > 0n, WAIT));
    await untilLocated(claimId);
    await chain.node.mine({ blocks: 8 });
    t.true(await waitFor(async () => (await claimOf(claimId)).finalized_at !== null, WAIT));
    t.is(await chargedTo(payment), BigInt(AMOUNT));
    t.not((await claimOf(claimId)).transaction, transaction);
    t.is(await authorizationOf(claimId), undefined);
    const replay = expectCase(await service.begin(present(payment, { operationTimeoutMs: 1000 })), 'replay');
    t.is(replay.claimId, claimId, 'the operation is not executed again');
  },
);

test.serial('a settlement that returns by itself after a reorganization is not sent again', async (t) => {
  const { claimId, payment } = await settled();
  await service.kill();
  await chain.reorganize(REORGANIZED_BLOCKS);
  const transaction = await chain.submit(payment);
  service = await startPayments({ env });
  await chain.node.mine({ blocks: 8 });
  t.true(await waitFor(async () => (await claimOf(claimId)).finalized_at !== null, WAIT));
  t.like(await claimOf(claimId), { transaction });
  t.is(await chargedTo(payment), BigInt(AMOUNT));
});

test.serial('a settlement that is removed after its authorization expired is lost', async (t) => {
  const validBefore = `${Math.floor(Date.now() / 1000) + 120}`;
  const { claimId, payment } = await settled({ validBefore });
  await service.kill();
  await chain.reorganize(REORGANIZED_BLOCKS);
  await chain.passTime(Number(validBefore));
  service = await startPayments({ env });
  await chain.node.mine({ blocks: 6 });
  t.is((await claimOf(claimId)).lost_at, null, 'another reorganization could bring it back');
  await chain.node.mine({ blocks: 2 });
  t.true(await waitFor(async () => (await claimOf(claimId)).lost_at !== null, WAIT));
  t.like(await claimOf(claimId), {
    outcome: 'settled',
    finalized_at: null,
    lost_reason: 'invalid_exact_evm_payload_authorization_valid_before',
  });
  t.is(await chargedTo(payment), 0n);
  t.true(await waitFor(async () => (await authorizationOf(claimId)) === undefined, WAIT));
});
