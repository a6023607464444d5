import test from 'ava';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { encodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem';
import { type ConfirmedBlocks, createConfirmedBlocks } from '../../../../services/payments/chain/confirmed-blocks.ts';
import { createRpc, type Rpc } from '../../../../services/payments/chain/rpc.ts';
import { createRefundDesk } from '../../../../services/payments/operator/refund-desk.ts';
import { createRefundRecords, type RefundRecords } from '../../../../services/payments/operator/refund-records.ts';
import { createRefunds } from '../../../../services/payments/operator/refunds.ts';
import { createRestored } from '../../../../services/payments/operator/restored.ts';
import { createTransactionSender } from '../../../../services/payments/signer/transaction-sender.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { LEDGER_FUNCTIONS } from '../../../../services/store/ledger-functions.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { connectChain, createWallet } from '../../../kit/chain.ts';
import { HANG_MS } from '../../../kit/until.ts';
import { createMemoryReplacements } from '../memory-replacements.ts';
import { CONFIRMATIONS, PAYEE, SIGNER_KEY } from '../own-payee.ts';
import { placeContracts, SANDBOX_ASSET, startSandbox } from '../test-sandbox.ts';

const sandbox = await startSandbox();
await placeContracts(sandbox.rpcUrl);
const { database } = sandbox;
const { node, balanceOf, mint } = connectChain(sandbox.rpcUrl, SANDBOX_ASSET);
test.after.always(() => sandbox.stop());
test.afterEach.always(() => node.setAutomine(true));

const network = 'eip155:31337';
const asset = SANDBOX_ASSET;
const rpc = createRpc(sandbox.rpcUrl);
const records = createRefundRecords(database, network);
const blocks = createConfirmedBlocks({ rpc, confirmations: CONFIRMATIONS });
const by = { operator: 'alice', reason: 'ticket 17' };
const AMOUNT = 7n;

interface Setting {
  readonly of?: Rpc;
  readonly key?: Hex;
  readonly maxFeePerGas?: bigint;
  readonly head?: ConfirmedBlocks['readHead'];
  /** The nodes that say which transactions wait. */
  readonly quiet?: Rpc;
  readonly changes?: Partial<RefundRecords>;
  readonly receiptMs?: number;
}

function open({
  of = rpc,
  key = SIGNER_KEY,
  maxFeePerGas = 10n ** 12n,
  head = blocks.readHead,
  quiet = of,
  changes = {},
  receiptMs = 0,
}: Setting = {}) {
  const lock = <T>(_name: string, work: () => Promise<T>) => work();
  const senderOf = (nodes: Rpc) =>
    createTransactionSender({
      ...{ rpc: nodes, chainId: 31337, privateKey: key, maxFeePerGas, replaceAfterMs: 600_000, lock },
      // The market of fees is read once.
      ...{ replacements: createMemoryReplacements(), costs: { note: async () => {} }, now: () => 0 },
    });
  const payee = senderOf(of);
  const logger = createLogger({ name: 'test', level: 'silent' });
  const restored = createRestored({ database: database, rpc: quiet, payee: senderOf(quiet), isSandbox: false });
  return createRefunds({
    ...{ rpc: of, payee, records: { ...records, ...changes }, restored, lock, logger },
    blocks: { ...blocks, readHead: head },
    receiptMs,
  });
}

/** Claims of one payer and amount. */
async function claimsOfOnePayer() {
  const payer = createWallet().address;
  await mint(PAYEE, 100n);
  return Array.from({ length: 2 }, () => ({
    claimId: uuidv7(),
    network,
    asset,
    payee: PAYEE,
    payer,
    amount: AMOUNT,
  })) as [Claim, Claim];
}
type Claim = Parameters<ReturnType<typeof open>['send']>[0];

const signedOf = async ({ claimId }: Claim) => defined((await records.find(claimId))?.signed);
const mineFinal = () => node.mine({ blocks: CONFIRMATIONS });

/** Sends a transaction of the payee, as an operator would with a wallet. */
async function sendByHand(to: Hex, value: bigint, nonce: number): Promise<Hex> {
  await node.impersonateAccount({ address: PAYEE });
  const abi = parseAbi(['function transfer(address to, uint256 value)']);
  const data = encodeFunctionData({ abi, functionName: 'transfer', args: [to, value] });
  const fee = numberToHex(10n ** 11n);
  const fees = { maxFeePerGas: fee, maxPriorityFeePerGas: fee };
  const params = [{ from: PAYEE, to: asset, data, nonce: numberToHex(nonce), ...fees }];
  return node.request({ method: 'eth_sendTransaction', params } as never);
}

for (const isOneHash of [true, false]) {
  const name = isOneHash ? 'one transaction' : 'one nonce';
  test.serial(`two refunds to one payer that got ${name} are both paid, once`, async (t) => {
    const [one, other] = await claimsOfOnePayer();
    await mint(one.payer, 1n);
    await node.setAutomine(!isOneHash);
    let lag = 0;
    // Of these nodes, the one that is asked for the nonce has not seen the last transaction.
    const of = {
      ...rpc,
      getTransactionCount: async (given: Parameters<Rpc['getTransactionCount']>[0]) =>
        (await rpc.getTransactionCount(given)) - lag,
    } as Rpc;
    const refunds = open({ of });
    await refunds.send(one, by);
    lag = 1;
    await (isOneHash ? refunds : open({ of, maxFeePerGas: 2n * 10n ** 9n })).send(other, by);
    const [first, second] = [await records.find(one.claimId), await records.find(other.claimId)];
    t.is(first?.signed?.nonce, second?.signed?.nonce);
    t.is(first?.transactions[0] === second?.transactions[0], isOneHash);
    await node.setAutomine(true);
    for (let round = 0; round < 3; round += 1) {
      await mineFinal();
      for (const { claimId } of [one, other]) await open().advance(claimId, 1000);
    }
    t.is(await balanceOf(one.payer), 2n * AMOUNT + 1n);
    const [a, b] = await Promise.all([one, other].map(({ claimId }) => open().advance(claimId, 0)));
    t.like([a, b], [{ state: 'final' }, { state: 'final' }]);
    t.not(a?.transaction, b?.transaction);
  });
}

test.serial('the transaction that took a nonce is searched up to the block that has it', async (t) => {
  const [claim] = await claimsOfOnePayer();
  await node.setAutomine(false);
  await open().send(claim, by);
  const taker = await sendByHand(claim.payer, AMOUNT, (await signedOf(claim)).nonce);
  await node.setAutomine(true);
  await mineFinal();
  const { blockNumber } = await node.getTransactionReceipt({ hash: taker });
  let isLate = false;
  // From the second time on, a node answers for which it is not final yet.
  async function head() {
    const { latest, confirmed } = await blocks.readHead();
    const at = isLate ? await blocks.readBlock(blockNumber - 1n) : confirmed;
    isLate = true;
    return { latest, confirmed: at };
  }
  await open({ head }).advance(claim.claimId, 1000);
  t.like(await open().advance(claim.claimId, 0), { transaction: taker, state: 'final' });
  t.is(await balanceOf(claim.payer), AMOUNT);
});

test.serial('blocks without the transaction that took a nonce are searched once', async (t) => {
  const [claim] = await claimsOfOnePayer();
  await node.setAutomine(false);
  await open().send(claim, by);
  // All money of the payee is moved away.
  await sendByHand(createWallet().address, await balanceOf(PAYEE), (await signedOf(claim)).nonce);
  await node.setAutomine(true);
  await mineFinal();
  let searches = 0;
  const of = {
    ...rpc,
    request(given: { readonly method: string }, options: never) {
      if (given.method === 'eth_getLogs') searches += 1;
      return rpc.request(given as never, options);
    },
  } as Rpc;
  for (let round = 0; round < 3; round += 1) await t.throwsAsync(open({ of }).advance(claim.claimId, 0));
  t.is(searches, 1);
  await mint(PAYEE, 100n);
  t.like(await open({ of }).advance(claim.claimId, HANG_MS), { state: 'mined' });
  t.is(await balanceOf(claim.payer), AMOUNT);
});

test.serial('a refund of an earlier payee ends with the transfer that an operator sent in its place', async (t) => {
  const key: Hex = `0x${'11'.repeat(32)}`;
  const [claim, other] = await claimsOfOnePayer();
  await node.setAutomine(false);
  const { transaction } = await open().send(claim, by);
  const { nonce } = await signedOf(claim);
  await node.dropTransaction({ hash: transaction });
  t.like(
    await open({ key }).advance(claim.claimId, 0),
    { transaction, state: 'sent' },
    'it needs no key to be sent again',
  );
  t.is(await open({ key }).take(claim.claimId, transaction, by), undefined, 'it can still be mined');
  const taker = await sendByHand(claim.payer, AMOUNT, nonce);
  const { transaction: cancelled } = await open().send(other, by);
  const { nonce: next } = await signedOf(other);
  await sendByHand(PAYEE, 0n, next);
  await node.setAutomine(true);
  await mineFinal();
  t.like(await open({ key }).advance(claim.claimId, 0), { transaction: taker, state: 'final' });
  t.like(await open({ key }).advance(other.claimId, 0), { transaction: cancelled, state: 'signed' });
  const paid = await sendByHand(other.payer, AMOUNT, next + 1);
  await mineFinal();
  t.like(await open({ key }).take(other.claimId, paid, by), { transaction: paid, state: 'final' });
  t.is(await balanceOf(claim.payer), 2n * AMOUNT);
});

test.serial('an operator can record a transfer while the service cannot sign a refund again', async (t) => {
  const [claim] = await claimsOfOnePayer();
  await node.setAutomine(false);
  await open().send(claim, by);
  const { nonce } = await signedOf(claim);
  await sendByHand(PAYEE, 0n, nonce);
  await node.setAutomine(true);
  await mineFinal();
  const paid = await sendByHand(claim.payer, AMOUNT, nonce + 1);
  await mineFinal();
  const refunds = open({ maxFeePerGas: 1n });
  await t.throwsAsync(refunds.advance(claim.claimId, 0), { message: /^no refund was sent/ });
  const desk = createRefundDesk({
    ...{ rpc, records, blocks, payee: undefined, refunds, lock: (_name, work) => work() },
    lostRefunds: { findRefusal: async () => undefined },
    chain: { stateOf: async () => ({ kind: 'settled' }) } as never,
    claims: { findById: async () => ({}) } as never,
    terms: { asset } as never,
  });
  const stored = { ...claim, payTo: PAYEE, state: 'final', blockNumber: null, createdAt: new Date() } as never;
  t.like(await desk.record(stored, paid, by), { kind: 'sent', transaction: paid, state: 'final' });
  t.like(await open().advance(claim.claimId, 0), { transaction: paid, state: 'final' });
  t.is(await balanceOf(claim.payer), AMOUNT);
});

test.serial('of two refunds with one transaction, the one that has it keeps it', async (t) => {
  const [early, late] = await claimsOfOnePayer();
  await open().send(late, by);
  const signed = await signedOf(late);
  const { transaction } = defined(await open().advance(late.claimId, HANG_MS));
  // A node that lagged behind gave the other one the same nonce.
  await records.insert(early, { transaction, signed }, by);
  await mineFinal();
  const mined = defined((await records.find(late.claimId))?.mined);
  t.false(await records.isOfAnother(late.claimId, mined));
  t.true(await records.isOfAnother(early.claimId, mined));
  for (const { claimId } of [late, early]) await open().advance(claimId, HANG_MS);
  t.is(await balanceOf(late.payer), 2n * AMOUNT);
});

/** A node that stands still at a block, and has not heard of later transactions. */
async function standingStill(): Promise<Rpc> {
  const block = await rpc.getBlock({ blockTag: 'latest' });
  const sent = numberToHex(await rpc.getTransactionCount({ address: PAYEE, blockTag: 'latest' }));
  return {
    ...rpc,
    getBlock: (given: { readonly blockTag?: string }) =>
      given.blockTag === 'latest' ? Promise.resolve(block) : rpc.getBlock(given as never),
    request: (given: { readonly method: string }, options: never) =>
      given.method === 'eth_getTransactionCount' ? Promise.resolve(sent) : rpc.request(given as never, options),
  } as Rpc;
}

test.serial('a refund that was signed again, which a restored database does not know, is not sent again', async (t) => {
  const [claim] = await claimsOfOnePayer();
  await node.setAutomine(false);
  await open().send(claim, by);
  const backup = await database
    .selectFrom('payment_refund')
    .selectAll()
    .where('claim_id', '=', claim.claimId)
    .executeTakeFirstOrThrow();
  await sendByHand(PAYEE, 0n, (await signedOf(claim)).nonce);
  await node.setAutomine(true);
  await mineFinal();
  const quiet = await standingStill();
  t.is((await open().advance(claim.claimId, 3000))?.state, 'mined');
  await mineFinal();
  const done = await open().advance(claim.claimId, 0);
  t.is(done?.state, 'final');
  await database.updateTable('payment_refund').set(backup).where('claim_id', '=', claim.claimId).execute();
  await sql`UPDATE ledger.epoch SET identity = 'another'`.execute(database);
  await sql.raw(`SELECT ${LEDGER_FUNCTIONS}.begin_epoch(false)`).execute(database);
  await t.throwsAsync(open({ quiet }).advance(claim.claimId, 0), { message: /no block from after the restore/ });
  await node.increaseTime({ seconds: 2 });
  await node.mine({ blocks: 1 });
  t.deepEqual(await open().advance(claim.claimId, 0), done);
  t.is(await balanceOf(claim.payer), AMOUNT);
});

test.serial('a refund of which PostgreSQL did not say that it is recorded is sent, or not known', async (t) => {
  const [sent, one] = await claimsOfOnePayer();
  const lost = () => Promise.reject(new Error('the connection was lost'));
  const insert: RefundRecords['insert'] = async (...given) => {
    await records.insert(...given);
    return lost();
  };
  t.is((await open({ changes: { insert }, receiptMs: HANG_MS }).send(sent, by)).state, 'mined');
  t.is(await balanceOf(sent.payer), AMOUNT);
  await t.throwsAsync(open({ changes: { insert, find: lost } }).send(one, by), {
    message: /^it is not known whether the refund was recorded/,
  });
  t.is(await balanceOf(sent.payer), AMOUNT);
  t.like(await open().advance(one.claimId, HANG_MS), { state: 'mined' });
  const other = { ...one, claimId: uuidv7() };
  await t.throwsAsync(open({ changes: { insert: lost } }).send(other, by), { message: /^no refund was sent/ });
  t.is(await open().advance(other.claimId, 0), undefined);
});
