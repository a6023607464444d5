import { createServer } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import { createCalls } from '../../../../services/payments/chain/calls.ts';
import { createChain } from '../../../../services/payments/chain/chain.ts';
import { createNodeCheck } from '../../../../services/payments/chain/check-node.ts';
import { createConfirmedBlocks } from '../../../../services/payments/chain/confirmed-blocks.ts';
import { createRpc, decide, replyOf, sendSigned } from '../../../../services/payments/chain/nodes.ts';
import { readBlockNumber, readLatestBlock } from '../../../../services/payments/chain/rpc.ts';
import { createTerms } from '../../../../services/payments/payment/terms.ts';
import { connectChain, createNonce, createWallet } from '../../../kit/chain.ts';
import { portOf } from '../../../kit/port-of.ts';
import { type Answerer, startNodeBefore } from '../node-before.ts';
import { placeContracts, SANDBOX_ASSET, startChain } from '../test-sandbox.ts';

const CHAIN_ID = 31337;
const { rpcUrl, stop } = await startChain();
await placeContracts(rpcUrl);
const { node } = connectChain(rpcUrl, SANDBOX_ASSET);
test.after.always(() => stop());
const terms = createTerms({ network: 'eip155:31337', payTo: createWallet().address, sandbox: false });

interface TestNode {
  readonly url: string;
  readonly asked: string[];
}

/** A node of the chain that stops when it is asked for `dyingAt`, without an answer. */
async function startNode(t: ExecutionContext, dyingAt?: string, answerTo: Answerer = () => undefined) {
  const asked: string[] = [];
  const front = await startNodeBefore(rpcUrl, async (call, together) => {
    asked.push(call.method);
    if (call.method !== dyingAt) return answerTo(call, together);
    await front.stop();
    return new Promise(() => {});
  });
  if (dyingAt === undefined) t.teardown(front.stop);
  return { url: front.url, asked, stop: front.stop };
}

/** A URL at which nothing answers. */
async function deadUrl(t: ExecutionContext): Promise<string> {
  const { url, stop: kill } = await startNode(t, 'none');
  await kill();
  return url;
}

function chainBehind(...urls: readonly string[]) {
  const rpc = createRpc(urls.join(', '), CHAIN_ID);
  const calls = createCalls(rpc);
  const blocks = createConfirmedBlocks({ rpc, confirmations: 1 });
  return { rpc, calls, chain: createChain({ rpc, calls, terms, blocks, now: Date.now }) };
}

const query = {
  ...{ payer: createWallet().address, nonce: createNonce(), payTo: terms.payTo, amount: 3000n },
  ...{ validBeforeS: 4_000_000_000, fromBlock: 0n, transaction: createNonce() },
};

test('the second node is asked when the first one is dead, and an error is thrown when all are', async (t) => {
  const second = await startNode(t);
  const { chain } = chainBehind(await deadUrl(t), second.url);
  t.deepEqual(await chain.stateOf(query), { kind: 'unused' });
  t.is(await chain.balanceOf(query.payer), 0n);
  t.is(second.asked.filter((method) => method === 'eth_chainId').length, 1);
  await t.throwsAsync(chainBehind(await deadUrl(t), await deadUrl(t)).chain.stateOf(query));
});

const WHOLE = [
  'eth_getTransactionReceipt',
  'eth_getBlockByNumber',
  'eth_call',
  'eth_getTransactionByHash',
  'eth_getTransactionReceipt',
];

for (const [i, dyingAt] of WHOLE.slice(0, 4).entries()) {
  test(`a decision during which the first node dies at ${dyingAt} is wholly made by the second one`, async (t) => {
    const [first, second] = [await startNode(t, dyingAt), await startNode(t)];
    t.deepEqual(await chainBehind(first.url, second.url).chain.stateOf(query), { kind: 'unused' });
    t.deepEqual(first.asked, WHOLE.slice(0, i + 1));
    t.deepEqual(second.asked, ['eth_chainId', ...WHOLE]);
  });
}

test('a node that lets its time pass is left out, and then one request finds out whether it answers again', async (t) => {
  let [isHanging, nowMs] = [true, 0];
  const first = await startNode(t, undefined, () => (isHanging ? new Promise<never>(() => {}) : undefined));
  const second = await startNode(t);
  const rpc = createRpc(`${first.url},${second.url}`, CHAIN_ID, () => nowMs);
  const readTwo = () => decide(() => Promise.all([readLatestBlock(rpc), readBlockNumber(rpc)]));
  await readLatestBlock(rpc);
  nowMs = 9999;
  await readTwo();
  t.is(first.asked.length, 1);
  nowMs = 10_000;
  await readTwo();
  t.is(first.asked.length, 2);
  isHanging = false;
  nowMs = 30_000;
  await readLatestBlock(rpc);
  t.is(first.asked.length, 3);
  const { length } = second.asked;
  await readTwo();
  t.is(first.asked.length, 5);
  t.is(second.asked.length, length);
});

test('who has only one node does not go on to the next one of a list, with which it shares a batch', async (t) => {
  const [dead, second] = [await deadUrl(t), await startNode(t)];
  const [alone, listed] = await Promise.allSettled([
    readLatestBlock(createRpc(dead)),
    readLatestBlock(createRpc(`${dead},${second.url}`, CHAIN_ID)),
  ]);
  t.deepEqual([alone.status, listed.status], ['rejected', 'fulfilled']);
});

test('decisions that are made together are each made by one node', async (t) => {
  const [first, second] = [await startNode(t, 'eth_getCode'), await startNode(t)];
  const { calls } = chainBehind(first.url, second.url);
  const read = async () => ({ number: await calls.blockNumber(), hasCode: await calls.hasCode(SANDBOX_ASSET) });
  const found = await Promise.all([decide(read), decide(read)]);
  t.deepEqual(
    found.map(({ hasCode }) => hasCode),
    [true, true],
  );
  t.true(second.asked.includes('eth_blockNumber'));
});

test('a node that answers with an error, or with something that cannot be, has answered', async (t) => {
  for (const answer of [{ error: { code: -32_000, message: 'no' } }, { result: 'nonsense' }]) {
    const second = await startNode(t);
    const first = await startNode(t, undefined, () => answer);
    await t.throwsAsync(chainBehind(first.url, second.url).chain.stateOf(query));
    t.deepEqual(second.asked, []);
  }
});

const LIMITED = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_005, message: 'limit exceeded' } });

for (const [title, status, body] of [
  ['HTTP 503', 503, 'busy'],
  ['HTTP 429 with an error of JSON-RPC', 429, LIMITED],
  ['a redirect', 307, ''],
  ['a page', 200, '<html>'],
  ['no answer to a call', 200, '[]'],
] as const) {
  test(`${title} is no answer of a node`, async (t) => {
    const headers = { 'content-type': 'application/json', location: rpcUrl };
    const server = createServer((_, response) => response.writeHead(status, headers).end(body));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.teardown(() => server.close());
    const second = await startNode(t);
    const { chain } = chainBehind(`http://127.0.0.1:${portOf(server)}`, second.url);
    t.deepEqual(await chain.stateOf(query), { kind: 'unused' });
    t.deepEqual(second.asked, ['eth_chainId', ...WHOLE]);
  });
}

test('a second node on another chain is not believed', async (t) => {
  const other = await startNode(t, undefined, ({ method }) =>
    method === 'eth_chainId' ? { result: '0x1' } : undefined,
  );
  await t.throwsAsync(chainBehind(await deadUrl(t), other.url).chain.stateOf(query), { name: 'NodeReplyError' });
  t.deepEqual(other.asked, ['eth_chainId']);
  await t.throwsAsync(createNodeCheck(`${rpcUrl},${other.url}`, terms), { name: 'ConfigurationError' });
});

test('of several nodes one must answer the check', async (t) => {
  await t.notThrowsAsync(createNodeCheck(`${await deadUrl(t)}, ${rpcUrl}`, terms));
  await t.throwsAsync(createNodeCheck(`${await deadUrl(t)},${await deadUrl(t)}`, terms), {
    message: /does not answer/,
  });
});

/** A signed transaction of a new account. */
async function sign() {
  const wallet = createWallet();
  await node.setBalance({ address: wallet.address, value: 10n ** 18n });
  const fees = { gas: 21_000n, maxFeePerGas: 10n ** 10n };
  const base = { chainId: CHAIN_ID, type: 'eip1559', nonce: 0, to: terms.payTo } as const;
  return { wallet, signed: await wallet.signTransaction({ ...base, ...fees }) };
}

const SEND = 'eth_sendRawTransaction';

test('a signed transaction goes to the next node when the first one is silent', async (t) => {
  const { wallet, signed } = await sign();
  const first: TestNode = await startNode(t, SEND);
  await sendSigned(chainBehind(first.url, rpcUrl).rpc, signed);
  t.is(await node.getTransactionCount({ address: wallet.address, blockTag: 'pending' }), 1);
  t.deepEqual(first.asked, [SEND]);
});

for (const [message, isSent] of [
  ['already known', true],
  ['nonce too low', false],
] as const) {
  test(`after a silent node, "${message}" from the next one does not mean that nothing was sent`, async (t) => {
    const { signed } = await sign();
    const error = { code: -32_000, message };
    const second = await startNode(t, undefined, ({ method }) => (method === SEND ? { error } : undefined));
    const { url } = await startNode(t, SEND);
    const sending = sendSigned(chainBehind(url, second.url).rpc, signed);
    if (isSent) return t.notThrowsAsync(sending);
    return t.is(replyOf(await t.throwsAsync(sending)), undefined);
  });
}

test('a node that refuses a transaction is the only one that gets it', async (t) => {
  const { signed } = await sign();
  const error = { code: -32_000, message: 'nonce too low' };
  const first = await startNode(t, undefined, ({ method }) => (method === SEND ? { error } : undefined));
  const second = await startNode(t);
  const fault = await t.throwsAsync(sendSigned(chainBehind(first.url, second.url).rpc, signed));
  t.regex(String(replyOf(fault)?.message), /nonce too low/);
  t.deepEqual(second.asked, []);
});

test('a decision sends nothing', async (t) => {
  const { rpc } = chainBehind(rpcUrl);
  await t.throwsAsync(decide(async () => sendSigned(rpc, (await sign()).signed)));
  t.truthy(await readLatestBlock(rpc));
});
