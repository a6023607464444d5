import { BATCH_SETTLEMENT_ADDRESS } from '@x402/evm';
import test from 'ava';
import { Type } from 'typebox';
import { ContractFunctionRevertedError, createPublicClient, http, parseEventLogs } from 'viem';
import { createJsonReader } from '../../scripts/launch/parse/json-reader.ts';
import { SETTLEMENT_ABI } from '../../services/payments/channels/settlement-abi.ts';
import { defined } from '../../workers/exact/defined.ts';
import { post } from '../kit/client.ts';
import { useSharedStack } from '../kit/shared-stack.ts';
import { claimRow, connectChannels, DEPOSIT, newChannel } from '../services/payments/sandbox/channel-chain.ts';

const stack = await useSharedStack();
const url = `${stack.urls[0]}/sandbox/rpc`;
test.after.always(() => stack.stop());

const settlement = { address: BATCH_SETTLEMENT_ADDRESS, abi: SETTLEMENT_ABI } as const;
const connect = (batch = false) => createPublicClient({ transport: http(url, { batch, retryCount: 0 }) });

const Reply = Type.Object({
  jsonrpc: Type.Literal('2.0'),
  id: Type.Union([Type.String(), Type.Number(), Type.Null()]),
  result: Type.Optional(Type.Unknown()),
  error: Type.Optional(
    Type.Object({ code: Type.Number(), message: Type.String(), data: Type.Optional(Type.Unknown()) }),
  ),
});
const readReply = createJsonReader(Reply, 'the reply');
const readReplies = createJsonReader(Type.Array(Reply), 'the replies');

const ask = async (body: unknown) => {
  const answer = await post(url, body);
  return { status: answer.status, ...readReply(answer.text) };
};
const call = (method: string, params: unknown = [], id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params });

test('viem reads code, state, blocks, logs and receipts', async (t) => {
  const channels = connectChannels(stack.chainUrl);
  const channel = newChannel();
  await channels.open(channel, DEPOSIT);
  const client = connect(true);
  const [chainId, code, state, block, number] = await Promise.all([
    client.getChainId(),
    client.getCode({ address: BATCH_SETTLEMENT_ADDRESS }),
    client.readContract({ ...settlement, functionName: 'channels', args: [channel.id] }),
    client.getBlock(),
    client.getBlockNumber(),
  ]);
  t.is(chainId, 31337);
  t.true(defined(code).length > 2);
  t.deepEqual(state, [DEPOSIT, 0n]);
  t.true(defined(block.number) <= number);
  const args = { channelId: channel.id };
  const events = await client.getContractEvents({ ...settlement, eventName: 'Deposited', args, fromBlock: 0n });
  t.is(events.length, 1);
  const { transactionHash } = defined(events[0]);
  const receipt = await client.waitForTransactionReceipt({ hash: transactionHash });
  t.is(receipt.status, 'success');
  t.true(parseEventLogs({ abi: SETTLEMENT_ABI, logs: receipt.logs }).length > 0);
  t.is((await client.getTransaction({ hash: transactionHash })).hash, transactionHash);
});

test('a reverted call keeps its error', async (t) => {
  const channel = newChannel();
  const error = await t.throwsAsync(
    connect().simulateContract({
      ...settlement,
      account: channel.receiver.address,
      functionName: 'claim',
      args: [[await claimRow(channel, 1n)]],
    }),
  );
  const { cause } = error;
  t.true(cause instanceof ContractFunctionRevertedError && cause.data?.errorName === 'ClaimExceedsBalance');
});

test('other methods than reads, and other parameters, are refused', async (t) => {
  t.like(await ask(call('eth_sendRawTransaction')), { status: 200, id: 1, error: { code: -32_601 } });
  t.like(await ask(call('eth_getCode', 'no list')), { status: 200, error: { code: -32_602 } });
});

test('a batch is answered in order, each request by itself', async (t) => {
  const body = [
    call('eth_chainId', [], 'a'),
    5,
    call('eth_accounts', [], null),
    { ...call('eth_chainId'), id: undefined },
  ];
  const answer = await post(url, body);
  t.is(answer.status, 200);
  t.like(readReplies(answer.text), [
    { id: 'a', result: '0x7a69' },
    { id: null, error: { code: -32_600 } },
    { id: null, error: { code: -32_601 } },
  ]);
});

test('notifications get no answer', async (t) => {
  const answer = await post(url, { jsonrpc: '2.0', method: 'eth_chainId' });
  t.deepEqual([answer.status, answer.text], [204, '']);
});

for (const [title, body, status, code] of [
  ['text that is not JSON', '{', 400, -32_700],
  ['duplicate keys', '{"jsonrpc":"2.0","id":1,"id":2,"method":"eth_chainId"}', 400, -32_700],
  [
    'deep nesting',
    `{"jsonrpc":"2.0","id":1,"method":"eth_call","params":${'['.repeat(99)}${']'.repeat(99)}}`,
    400,
    -32_700,
  ],
  ['an empty batch', '[]', 400, -32_600],
  ['a batch of 21', JSON.stringify(Array(21).fill(call('eth_chainId'))), 400, -32_600],
  ['more than 256 KiB', JSON.stringify(call('eth_call', ['1'.repeat(256 * 1024)])), 413, -32_000],
  ['null', 'null', 200, -32_600],
  ['another version', '{"jsonrpc":"1.0","id":1,"method":"eth_chainId"}', 200, -32_600],
  ['an object as id', '{"jsonrpc":"2.0","id":{},"method":"eth_chainId"}', 200, -32_600],
  ['no method', '{"jsonrpc":"2.0","id":1}', 200, -32_600],
] as const) {
  test(`${title} is answered with a JSON-RPC error`, async (t) => {
    t.like(await ask(body), { status, id: null, error: { code } });
  });
}
