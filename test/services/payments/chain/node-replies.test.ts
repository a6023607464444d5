import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { Type } from 'typebox';
import { encodeAbiParameters, type Hex, numberToHex, pad, toEventSelector } from 'viem';
import { createReader } from '../../../../scripts/launch/parse/json-reader.ts';
import { createCalls } from '../../../../services/payments/chain/calls.ts';
import { type ChainOptions, createChain } from '../../../../services/payments/chain/chain.ts';
import { createConfirmedBlocks } from '../../../../services/payments/chain/confirmed-blocks.ts';
import { MULTICALL3_ADDRESS } from '../../../../services/payments/chain/multicall.ts';
import { createRpc } from '../../../../services/payments/chain/nodes.ts';
import { findReceipt } from '../../../../services/payments/chain/rpc.ts';
import { createTerms, SANDBOX_NETWORK } from '../../../../services/payments/payment/terms.ts';
import { createNonce, createWallet } from '../../../kit/chain.ts';
import { portOf } from '../../../kit/port-of.ts';

const terms = createTerms({ network: SANDBOX_NETWORK, payTo: createWallet().address, sandbox: true });
const { address: payer } = createWallet();
const nonce = createNonce();
const transaction = createNonce();
const query = { payer, nonce, payTo: terms.payTo, amount: 3000n, validBeforeS: 2_000_000_000, fromBlock: 0n };

const block = { number: '0x5', timestamp: numberToHex(1_900_000_000), hash: createNonce(), transactions: [] };
const isUsed = (used: boolean): Hex => encodeAbiParameters([{ type: 'bool' }], [used]);
const useLog = {
  address: terms.asset.toLowerCase(),
  topics: [toEventSelector('AuthorizationUsed(address,bytes32)'), pad(payer, { size: 32 }).toLowerCase(), nonce],
  data: '0x',
  blockHash: createNonce(),
  blockNumber: '0x4',
  logIndex: '0x0',
  transactionHash: transaction,
  transactionIndex: '0x0',
};
const receipt = {
  transactionHash: transaction,
  to: terms.asset,
  gasUsed: '0x1',
  blockNumber: '0x4',
  status: '0x1',
  logs: [useLog],
};
const waiting = {
  hash: transaction,
  type: '0x2',
  blockNumber: null,
  from: payer,
  nonce: '0x0',
  input: '0x',
  gas: '0x1',
};

type Replies = Readonly<Record<string, unknown>>;

const USED: Replies = {
  eth_getBlockByNumber: block,
  eth_call: isUsed(true),
  eth_getLogs: [useLog],
  eth_getTransactionReceipt: receipt,
};
const UNUSED: Replies = { ...USED, eth_call: isUsed(false), eth_getTransactionReceipt: null };

const readCall = createReader(
  Type.Object({ id: Type.Number(), method: Type.String(), params: Type.Optional(Type.Unknown()) }),
  'a JSON-RPC call',
);
const readRange = createReader(Type.Array(Type.Object({ fromBlock: Type.String() })), 'the parameters of eth_getLogs');
const readHashes = createReader(Type.Array(Type.String()), 'the parameters of eth_getTransactionByHash');

/**
 * A node that gives the same reply to every call of a method, only logs of the range that is asked, and of
 * several transactions the one that is asked for.
 */
async function rpcOf(t: ExecutionContext, replies: Replies) {
  const server = createServer(async (request, response) => {
    const calls: unknown = JSON.parse(await text(request));
    const answers = [calls].flat().map((call) => {
      const { id, method, params } = readCall(call);
      const isLater =
        method === 'eth_getLogs' && BigInt(readRange(params)[0]?.fromBlock ?? 0) > BigInt(useLog.blockNumber);
      const { [method]: reply } = replies;
      const isOneOf = method === 'eth_getTransactionByHash' && Array.isArray(reply);
      const result = isOneOf ? (reply.find(({ hash }) => hash === readHashes(params)[0]) ?? null) : reply;
      return { jsonrpc: '2.0', id, result: isLater ? [] : result };
    });
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(Array.isArray(calls) ? answers : answers[0]));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return createRpc(`http://127.0.0.1:${portOf(server)}`);
}

async function chainOf(t: ExecutionContext, replies: Replies, options: Pick<ChainOptions, 'versionsOf'> = {}) {
  const rpc = await rpcOf(t, replies);
  const blocks = createConfirmedBlocks({ rpc, confirmations: 1 });
  return createChain({ rpc, calls: createCalls(rpc), terms, blocks, now: () => 1_900_000_000_000, ...options });
}

test('an authorization that was used without the transfer is void, and an unused one may be in flight', async (t) => {
  t.like(await (await chainOf(t, USED)).stateOf(query), { kind: 'void' });
  const unused = await chainOf(t, { ...UNUSED, eth_getTransactionByHash: waiting });
  t.deepEqual(await unused.stateOf(query), { kind: 'unused' });
  t.deepEqual(await unused.stateOf({ ...query, transaction }), { kind: 'in_flight' });
});

test('a transaction that is replaced before the node is asked for it is in flight', async (t) => {
  const replacement = createNonce();
  const answers = [[transaction], [transaction, replacement]];
  const versionsOf = async () => answers.shift() ?? [transaction, replacement];
  const replies = { ...UNUSED, eth_getTransactionByHash: [{ ...waiting, hash: replacement }] };
  const chain = await chainOf(t, replies, { versionsOf });
  t.deepEqual(await chain.stateOf({ ...query, transaction }), { kind: 'in_flight' });
});

test('a transaction that reverted ends its own payment, and not those of a batch', async (t) => {
  const ofTransaction = { ...query, transaction };
  const mined = { ...UNUSED, eth_getTransactionByHash: { ...waiting, blockNumber: '0x4' } };
  const reverted = { ...receipt, status: '0x0', logs: [] };
  const alone = await chainOf(t, { ...mined, eth_getTransactionReceipt: reverted });
  t.deepEqual(await alone.stateOf(ofTransaction), { kind: 'reverted' });
  const batch = await chainOf(t, { ...mined, eth_getTransactionReceipt: { ...reverted, to: MULTICALL3_ADDRESS } });
  t.deepEqual(await batch.stateOf(ofTransaction), { kind: 'unused' });
});

const COSTS: readonly (readonly [string, Readonly<Record<string, unknown>>, bigint | 'unknown'])[] = [
  ['the price of its gas', { gasUsed: '0x3', effectiveGasPrice: '0x7' }, 21n],
  ['the fee of the first layer', { gasUsed: '0x3', effectiveGasPrice: '0x7', l1Fee: '0x64' }, 121n],
  ['no fee of the first layer', { gasUsed: '0x3', effectiveGasPrice: '0x7', l1Fee: null }, 21n],
  ['no price', {}, 'unknown'],
];

for (const [title, shown, costWei] of COSTS) {
  test(`the cost of a transaction whose receipt has ${title} is ${costWei}`, async (t) => {
    const rpc = await rpcOf(t, { ...USED, eth_getTransactionReceipt: { ...receipt, ...shown } });
    t.is((await findReceipt(rpc, transaction))?.costWei, costWei);
  });
}

test('a use in a block before the first known one is found: nodes lag, and reorganizations move transactions', async (t) => {
  t.like(await (await chainOf(t, USED)).stateOf({ ...query, fromBlock: 5n }), { kind: 'void' });
});

const FAULTS: readonly (readonly [string, Replies])[] = [
  ['a block without a time', { ...USED, eth_getBlockByNumber: { ...block, timestamp: undefined } }],
  ['a block without a number', { ...USED, eth_getBlockByNumber: { ...block, number: null } }],
  ['logs that are not a list', { ...USED, eth_getLogs: {} }],
  ['a log without its transaction', { ...USED, eth_getLogs: [{ ...useLog, transactionHash: null }] }],
  [
    'the log of another payer',
    { ...USED, eth_getLogs: [{ ...useLog, topics: [...useLog.topics.slice(0, 2), createNonce()] }] },
  ],
  ['the log of another contract', { ...USED, eth_getLogs: [{ ...useLog, address: payer }] }],
  ['the log of a transaction without a receipt', { ...USED, eth_getTransactionReceipt: null }],
  ['a receipt without a status', { ...USED, eth_getTransactionReceipt: { ...receipt, status: undefined } }],
  ['a receipt without logs', { ...USED, eth_getTransactionReceipt: { ...receipt, logs: undefined } }],
  [
    'the receipt of another transaction',
    { ...USED, eth_getTransactionReceipt: { ...receipt, transactionHash: nonce } },
  ],
  ['a transaction without a block', { ...UNUSED, eth_getTransactionByHash: { ...waiting, blockNumber: undefined } }],
  ['another transaction', { ...UNUSED, eth_getTransactionByHash: { ...waiting, hash: nonce } }],
];

for (const [title, replies] of FAULTS) {
  test(`${title} is an error, never a state of the payment`, async (t) => {
    const chain = await chainOf(t, replies);
    await t.throwsAsync(chain.stateOf({ ...query, transaction }), { name: 'NodeReplyError' });
  });
}
