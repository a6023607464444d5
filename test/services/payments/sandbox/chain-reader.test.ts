import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { BATCH_SETTLEMENT_ADDRESS } from '@x402/evm';
import test from 'ava';
import { toFunctionSelector, toHex } from 'viem';
import { freePort } from '../../../../scripts/launch/servers/free-port.ts';
import { createChainReader } from '../../../../services/payments/sandbox/chain-reader.ts';
import { createWallet } from '../../../kit/chain.ts';
import { portOf } from '../../../kit/port-of.ts';
import { calls, newChannel, startChannelChain } from './channel-chain.ts';

const chain = await startChannelChain();
test.after.always(() => chain.stop());

const NO_SUCH_RECEIPT = toHex(1, { size: 32 });

test('a result is passed on, null included', async (t) => {
  const read = createChainReader(chain.url);
  t.deepEqual(await read('eth_chainId', '[]'), { outcome: { $case: 'resultJson', value: '"0x7a69"' } });
  const missing = await read('eth_getTransactionReceipt', JSON.stringify([NO_SUCH_RECEIPT]));
  t.deepEqual(missing, { outcome: { $case: 'resultJson', value: 'null' } });
});

test('a revert is passed on with its data', async (t) => {
  const { config } = newChannel();
  const call = { to: BATCH_SETTLEMENT_ADDRESS, data: calls.refund(config, 1n) };
  const { outcome } = await createChainReader(chain.url)('eth_call', JSON.stringify([call, 'latest']));
  t.like(outcome, { $case: 'error', value: { code: 3, data: toFunctionSelector('NotAuthorizedToRefund()') } });
});

test('an answer of more than 1 MiB is refused', async (t) => {
  const { address } = createWallet();
  await chain.node.setCode({ address, bytecode: `0x${'00'.repeat(600_000)}` });
  const { outcome } = await createChainReader(chain.url)('eth_getCode', JSON.stringify([address, 'latest']));
  t.like(outcome, { $case: 'error', value: { code: -32_005 } });
});

test('parameters that are not JSON are an error of the caller', async (t) => {
  await t.throwsAsync(createChainReader(chain.url)('eth_chainId', '['), { code: 'INVALID_ARGUMENT' });
});

test('a chain that is away is a failure of the service', async (t) => {
  const read = createChainReader(`http://127.0.0.1:${await freePort()}`);
  await t.throwsAsync(read('eth_chainId', '[]'), { code: 'UPSTREAM_FAILURE' });
});

test('more than 32 reads at a time are refused', async (t) => {
  const held: ServerResponse[] = [];
  const arrived = Promise.withResolvers<void>();
  const node = createServer((_, response) => {
    held.push(response);
    if (held.length === 32) arrived.resolve();
  }).listen(0, '127.0.0.1');
  t.teardown(() => node.close());
  await once(node, 'listening');
  const read = createChainReader(`http://127.0.0.1:${portOf(node)}`);
  const reads = Array.from({ length: 32 }, () => read('eth_chainId', '[]'));
  await arrived.promise;
  t.like((await read('eth_chainId', '[]')).outcome, { $case: 'error', value: { code: -32_005 } });
  for (const response of held) response.end('{"jsonrpc":"2.0","id":1,"result":"0x7a69"}');
  for (const { outcome } of await Promise.all(reads)) t.is(outcome?.$case, 'resultJson');
});
