import test from 'ava';
import { checkRead } from '../../../../services/payments/sandbox/readable-methods.ts';

const ADDRESS = `0x${'1'.repeat(40)}`;
const HASH = `0x${'a'.repeat(64)}`;
const CALL = { to: ADDRESS, data: '0x12345678' };
const MAX_GAS = '0x4c4b40';

const allowed: readonly (readonly [string, readonly unknown[]])[] = [
  ['eth_blockNumber', []],
  ['eth_chainId', []],
  ['eth_getCode', [ADDRESS, 'latest']],
  ['eth_getLogs', [{}]],
  ['eth_getLogs', [{ address: ADDRESS, fromBlock: '0x0', toBlock: 'latest', topics: [HASH, null, [HASH]] }]],
  ['eth_getLogs', [{ address: [ADDRESS], blockHash: HASH }]],
  ['eth_getTransactionByHash', [HASH]],
  ['eth_getTransactionReceipt', [HASH]],
  ['eth_getBlockByNumber', ['0x10', false]],
];
for (const [method, params] of allowed) {
  test(`${method} with ${JSON.stringify(params)} is a read`, (t) => {
    t.deepEqual(checkRead(method, params), { kind: 'read', params });
  });
}

test('the gas of a call is bounded', (t) => {
  const gasOf = (gas?: string) => checkRead('eth_call', [{ ...CALL, ...(gas && { gas }) }, 'latest']);
  const read = (gas: string) => ({ kind: 'read', params: [{ ...CALL, gas }, 'latest'] }) as const;
  t.deepEqual(gasOf(), read(MAX_GAS));
  t.deepEqual(gasOf(`0x${'f'.repeat(64)}`), read(MAX_GAS));
  t.deepEqual(gasOf('0x5208'), read('0x5208'));
});

test('everything else is not a read', (t) => {
  const sending = ['eth_sendRawTransaction', 'eth_sendTransaction', 'eth_sign', 'anvil_setBalance', 'evm_revert'];
  const others = ['eth_accounts', 'debug_traceCall', 'constructor', '__proto__', '', 'ETH_CALL'];
  for (const method of [...sending, ...others]) t.deepEqual(checkRead(method, []), { kind: 'unknown-method' }, method);
});

const invalid: readonly (readonly [string, unknown])[] = [
  ['eth_chainId', {}],
  ['eth_chainId', null],
  ['eth_chainId', [1]],
  ['eth_call', []],
  ['eth_call', [CALL]],
  ['eth_call', [null, 'latest']],
  // Without `to`, the node runs the data as code.
  ['eth_call', [{ data: '0x00' }, 'latest']],
  ['eth_call', [{ ...CALL, to: null }, 'latest']],
  ['eth_call', [{ ...CALL, accessList: [] }, 'latest']],
  // Overrides of state and block.
  ['eth_call', [CALL, 'latest', { [ADDRESS]: { code: '0x00' } }]],
  ['eth_call', [CALL, 'latest', {}, { time: '0x1' }]],
  ['eth_call', [CALL, { blockHash: HASH }]],
  ['eth_call', [{ ...CALL, data: '0x1' }, 'latest']],
  ['eth_getCode', [ADDRESS]],
  ['eth_getCode', [`${ADDRESS}00`, 'latest']],
  ['eth_getCode', [ADDRESS, 1]],
  ['eth_getLogs', []],
  ['eth_getLogs', [{ topics: [HASH, HASH, HASH, HASH, HASH] }]],
  ['eth_getLogs', [{ address: Array(21).fill(ADDRESS) }]],
  ['eth_getLogs', [{ topics: [Array(21).fill(HASH)] }]],
  ['eth_getTransactionReceipt', ['0x12']],
  ['eth_getTransactionReceipt', [HASH, true]],
  ['eth_getBlockByNumber', ['latest']],
  ['eth_getBlockByNumber', ['newest', true]],
  ['eth_getBlockByNumber', [`0x${'1'.repeat(65)}`, true]],
];
for (const [method, params] of invalid) {
  test(`${method} with ${JSON.stringify(params)?.slice(0, 80)} (${JSON.stringify(params)?.length}) is refused`, (t) => {
    t.deepEqual(checkRead(method, params), { kind: 'invalid-params' });
  });
}
