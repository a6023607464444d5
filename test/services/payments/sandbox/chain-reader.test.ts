import { BATCH_SETTLEMENT_ADDRESS } from '@x402/evm';
import test from 'ava';
import { toFunctionSelector, toHex } from 'viem';
import { freePort } from '../../../../scripts/launch/servers/free-port.ts';
import { createChainReader } from '../../../../services/payments/sandbox/chain-reader.ts';
import { createWallet } from '../../../helpers/chain.ts';
import { type ChannelChain, calls, newChannel, startChannelChain } from './channel-chain.ts';

let chain: ChannelChain;
test.before(async () => {
  chain = await startChannelChain();
});
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
