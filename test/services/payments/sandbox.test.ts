import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, watch, writeFileSync } from 'node:fs';

import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import { Type } from 'typebox';
import { createTestClient, getAddress, type Hex, publicActions, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { SettlementOutcome } from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { createJsonReader } from '../../../scripts/launch/parse/json-reader.ts';
import { createSavedChain } from '../../../services/payments/sandbox/chain-state.ts';
import { contractsWith } from '../../../services/payments/sandbox/contracts.ts';
import { SANDBOX_SIGNER_KEY } from '../../../services/payments/sandbox/sandbox.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { connectChain, createWallet, signPayment, toChain, type Wallet } from '../../kit/chain.ts';
import { HANG_MS, until } from '../../kit/until.ts';
import { AMOUNT, expectCase, offerOf, present, startPayments } from './harness.ts';
import { type KeptAnswers, openKeptAnswers } from './kept-answers.ts';
import { startNodeBefore } from './node-before.ts';
import { startChain, startSandbox, type TestSandbox } from './test-sandbox.ts';

const ASSET: Hex = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
type RetainedClaim = NonNullable<Awaited<ReturnType<KeptAnswers['claimOf']>>>;

const readSettlement = createJsonReader(
  Type.Object({ transaction: Type.TemplateLiteral([Type.Literal('0x'), Type.String()]) }),
  'the payment response',
);

/** A sandbox of one test, with a service. */
async function startOwn(t: ExecutionContext) {
  const sandbox = await startSandbox();
  t.teardown(sandbox.stop);
  const service = await startPayments({ env: sandbox.env });
  t.teardown(service.stop);
  return { sandbox, service };
}
const connect = (rpcUrl: string) =>
  createTestClient({ mode: 'anvil', transport: toChain(rpcUrl) }).extend(publicActions);

/** Its chain is neither killed nor restarted. */
let sandbox: TestSandbox;
test.before(async () => {
  sandbox = await startSandbox();
});
test.after.always(() => sandbox?.stop());

test('balances and payments survive a SIGKILL of anvil', async (t) => {
  const { sandbox, service } = await startOwn(t);
  const terms = await service.terms();
  const offer = offerOf(terms);
  const wallet = createWallet();
  await service.fund(wallet.address);
  const [paid, open] = [await signPayment(wallet, offer), await signPayment(wallet, offer)];
  const first = expectCase(await service.begin(present(paid)), 'execute');
  const { paymentResponseJson } = await service.settle(first.claimId);
  const second = expectCase(await service.begin(present(open)), 'execute');
  // The state is saved in the background: it has the transactions of the faucet and of the settlement.
  await until(() => savedTransactions(sandbox.stateFile) === 2);

  await sandbox.killChain();
  const away = await service.settle(second.claimId);
  t.is(away.outcome, SettlementOutcome.SETTLEMENT_OUTCOME_NOT_SENT);
  await sandbox.restartChain();
  const asset = getAddress(terms.asset);
  const chain = connectChain(sandbox.rpcUrl, asset);
  // The service notices without a call that its chain is new, and loads the saved state.
  await until(async () => (await chain.node.getCode({ address: asset })) !== undefined);

  t.is(await chain.balanceOf(wallet.address), 10_000_000n - BigInt(AMOUNT));
  const { transaction } = readSettlement(defined(paymentResponseJson));
  t.is((await chain.node.getTransactionReceipt({ hash: transaction })).status, 'success');
  t.is(paymentResponseJson, expectCase(await service.begin(present(paid)), 'replay').paymentResponseJson);
  t.is(expectCase(await service.begin(present(open)), 'resume').claimId, second.claimId);
  const back = await service.settle(second.claimId);
  t.is(back.outcome, SettlementOutcome.SETTLEMENT_OUTCOME_SETTLED);
  t.is(await chain.balanceOf(wallet.address), 10_000_000n - 2n * BigInt(AMOUNT));
});

test('whoever uses a chain that was idle finds a block that is not old, and one that nobody uses does not grow', async (t) => {
  const { sandbox, service } = await startOwn(t);
  const offer = offerOf(await service.terms());
  const wallet = createWallet();
  await service.fund(wallet.address);
  const node = connect(sandbox.rpcUrl);
  const before = await node.getBlock();
  await until(() => Date.now() > Number(before.timestamp + 1n) * 1000);
  await node.increaseTime({ seconds: 65 });
  // Valid since a moment at which no block was mined.
  const payment = await signPayment(wallet, offer, { validAfter: `${before.timestamp + 1n}` });
  const { claimId } = expectCase(await service.begin(present(payment)), 'execute');
  t.is((await node.getBlock()).number, before.number + 1n);
  const { outcome } = await service.settle(claimId);
  t.is(outcome, SettlementOutcome.SETTLEMENT_OUTCOME_SETTLED);
  await node.increaseTime({ seconds: 600 });
  const latest = { method: 'eth_getBlockByNumber', paramsJson: '["latest",false]' };
  const read = async () => {
    const answer = await service.call((client) => client.readChain, latest, { timeoutMs: HANG_MS });
    return Number(JSON.parse(answer.outcome?.$case === 'resultJson' ? answer.outcome.value : 'null').timestamp);
  };
  const { timestamp: nowS } = await node.getBlock({ blockTag: 'pending' });
  await until(async () => (await read()) >= Number(nowS) - 5);
  t.is((await node.getBlock()).number, before.number + 3n);
});

test('a settlement is final only when its chain is saved, and one that the chain lost is sent again or is lost', async (t) => {
  const sandbox = await startSandbox();
  t.teardown(sandbox.stop);
  const folder = join(dirname(sandbox.stateFile), 'state-folder');
  mkdirSync(folder);
  const stateFile = join(folder, 'state');
  const env = { ...sandbox.env, SANDBOX_STATE_FILE: stateFile, X402_FINALITY_INTERVAL_MS: '400' };
  const service = await startPayments({ env });
  t.teardown(service.stop);
  const results = await openKeptAnswers(sandbox.databaseUrl, 'eip155:31337');
  t.teardown(results.close);
  const terms = await service.terms();
  const asset = getAddress(terms.asset);
  const chain = connectChain(sandbox.rpcUrl, asset);
  const validBefore = `${Math.floor(Date.now() / 1000) + 600}`;
  const settle = async (wallet: Wallet) => {
    const payment = await signPayment(wallet, offerOf(terms), { validBefore });
    const execute = expectCase(await service.begin(present(payment)), 'execute');
    await results.keep(execute.claimId);
    t.is((await service.settle(execute.claimId)).outcome, SettlementOutcome.SETTLEMENT_OUTCOME_SETTLED);
    return execute.claimId;
  };
  const untilClaim = (claimId: string, is: (claim: RetainedClaim) => boolean) =>
    until(async () => is(defined(await results.claimOf(claimId))));

  const [saver, payer, unsavedPayer] = [createWallet(), createWallet(), createWallet()];
  await service.fund(saver.address);
  await service.fund(payer.address);
  t.true(await untilClaim(await settle(saver), ({ finalized_at }) => finalized_at !== null), 'the chain is saved');
  renameSync(folder, `${folder}.away`);
  await chain.mint(unsavedPayer.address, 10_000_000n);
  const [unsaved, unfunded] = [await settle(payer), await settle(unsavedPayer)];
  t.is(defined(await results.claimOf(unsaved)).finalized_at, null);
  await sandbox.killChain();
  renameSync(`${folder}.away`, folder);
  await sandbox.restartChain();
  await until(async () => (await chain.node.getCode({ address: asset })) !== undefined);

  t.true(await untilClaim(unsaved, ({ finalized_at }) => finalized_at !== null), 'it is sent again');
  t.is(await chain.balanceOf(payer.address), 10_000_000n - BigInt(AMOUNT));
  await chain.passTime(Number(validBefore));
  t.true(await untilClaim(unfunded, ({ lost_at }) => lost_at !== null), 'its payer has no money any more');
  const counts = await service.call((client) => client.countPayments, {}, { timeoutMs: HANG_MS });
  t.like(counts, { lost: 1 });
});

test('the state of a restarted chain does not replace the saved one, which may have more than viem reads', async (t) => {
  const chain = await startChain();
  t.teardown(chain.stop);
  const file = chain.stateFile;
  const anvil = connect(chain.rpcUrl);
  const { address } = createWallet();
  const state = createSavedChain({
    rpcUrl: chain.rpcUrl,
    anvil,
    file,
    lock: (_name, work) => work(),
    whileQuiet: (work) => work({ number: 0n, hash: '0x', timestamp: 0n }),
    isSetUp: async () => (await anvil.getBalance({ address })) > 0n,
    onError: (error) => t.fail(String(error)),
  });
  await anvil.setBalance({ address, value: 1n });
  // viem reads 10 MiB, and the state has twice as many digits.
  await anvil.setCode({ address, bytecode: `0x${randomBytes(6 * 2 ** 20).toString('hex')}` });
  await state.save();
  const saved = readFileSync(file, 'utf8');
  t.true(saved.length > 10 * 2 ** 20);
  await chain.killChain();
  await chain.restartChain();
  await t.throwsAsync(state.save(), { message: /restarted/ });
  t.true(readFileSync(file, 'utf8') === saved);
  t.true(await state.load());
  t.is(await anvil.getBalance({ address }), 1n);
});

test('a chain that was saved by an earlier release gets the contracts of this one', async (t) => {
  const chain = await startChain();
  t.teardown(chain.stop);
  const anvil = connect(chain.rpcUrl);
  const contracts = contractsWith(ASSET);
  const { address } = createWallet();
  // The earlier release had another token, and no channels.
  await anvil.setCode({ address: ASSET, bytecode: '0x00' });
  await anvil.setStorageAt({ address: ASSET, index: 0, value: toHex(5n, { size: 32 }) });
  await anvil.setBalance({ address, value: 1n });
  writeFileSync(chain.stateFile, await anvil.dumpState());
  for (const isRestarted of [true, false]) {
    if (isRestarted) {
      await chain.killChain();
      await chain.restartChain();
    } else {
      for (const contract of contracts) await anvil.setCode({ ...contract, bytecode: '0x00' });
    }
    const service = await startPayments({ env: { ...sandbox.env, ...chain.env } });
    t.teardown(service.stop);
    for (const { address: at, bytecode } of contracts) t.is(await anvil.getCode({ address: at }), bytecode);
    t.is(await anvil.getStorageAt({ address: ASSET, slot: '0x0' }), toHex(5n, { size: 32 }));
    t.is(await anvil.getBalance({ address }), 1n);
    await service.stop();
  }
});

test('the faucet pays ten dollars to a valid address, and a state that is saved meanwhile is consistent', async (t) => {
  const service = await startPayments({ env: sandbox.env });
  t.teardown(service.stop);
  const { address } = createWallet();
  t.is((await service.fund(address)).balance, '10000000');
  t.is((await service.fund(address)).balance, '20000000');
  const flipped = address
    .replace(/[a-f]/, (letter) => letter.toUpperCase())
    .replace(/[A-F](?!.*[A-F])/, (letter) => letter.toLowerCase());
  const badSum = flipped === address ? '0x1' : flipped;
  for (const wrong of ['', '0x', address.slice(2), `${address}00`, 'vitalik.eth', badSum]) {
    const funding = service.call((client) => client.fund, { address: wrong }, { timeoutMs: HANG_MS });
    await t.throwsAsync(funding, { code: 'INVALID_ARGUMENT' });
  }

  const payIn = async () => {
    for (let n = 0; n < 4; n += 1) await service.fund(createWallet().address);
  };
  const saved = new Set<string>();
  const paid = Promise.all(Array.from({ length: 4 }, payIn));
  const watcher = watch(dirname(sandbox.stateFile), (_event, name) => {
    if (name === 'state') saved.add(readFileSync(sandbox.stateFile, 'utf8'));
  });
  t.teardown(() => watcher.close());
  await paid;
  await until(() => saved.size > 1);
  for (const state of saved) {
    const { sent, mined, blocks, height } = readSavedChain(state);
    t.deepEqual({ mined, blocks, height }, { mined: sent, blocks: sent, height: sent });
  }
});

const Count = Type.Union([Type.Number(), Type.String()]);
const readState = createJsonReader(
  Type.Object({
    accounts: Type.Record(Type.String(), Type.Object({ nonce: Count })),
    transactions: Type.Array(Type.Unknown()),
    blocks: Type.Array(Type.Unknown()),
    best_block_number: Count,
  }),
  'the state of the chain',
);

const savedTransactions = (file: string): number =>
  existsSync(file) ? readSavedChain(readFileSync(file, 'utf8')).mined : 0;

/** Four figures of a saved chain. They are equal, because each transaction has its own block. */
function readSavedChain(saved: string) {
  const state = readState(gunzipSync(Buffer.from(saved.slice(2), 'hex')).toString('utf8'));
  const signer = privateKeyToAccount(SANDBOX_SIGNER_KEY).address.toLowerCase();
  return {
    sent: Number(defined(state.accounts[signer]).nonce),
    mined: state.transactions.length,
    // The first block has no transaction.
    blocks: state.blocks.length - 1,
    height: Number(state.best_block_number),
  };
}

test('the sandbox does not start on any other chain, also when its node did not answer at first', async (t) => {
  let asked = 0;
  const base = await startNodeBefore(sandbox.rpcUrl, ({ method }) => {
    if (method !== 'eth_chainId') return undefined;
    asked += 1;
    return asked === 1 ? { error: { code: -32_000, message: 'starting' } } : { result: toHex(8453) };
  });
  t.teardown(base.stop);
  const error = await t.throwsAsync(startPayments({ env: { ...sandbox.env, SANDBOX_RPC_URL: base.url } }));
  t.regex(error.message, /SANDBOX_RPC_URL: found a chain with id 8453; it must be 31337/);
});
