import test from 'ava';
import { readConfig } from '../../../services/payments/config.ts';

const DATABASE_URL = 'postgres://127.0.0.1/tollhouse';
const PAY_TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const KEY = `0x${'4'.repeat(64)}`;
const sandbox = {
  CREATE_KEYS: 'true',
  DATABASE_URL,
  SANDBOX_RPC_URL: 'http://127.0.0.1:8545',
  SANDBOX_STATE_FILE: '/tmp/state',
};
const AUTHORIZATION_KEYS = `k1:${Buffer.alloc(32, 1).toString('base64')}`;
const facilitator = {
  AUTHORIZATION_KEYS,
  DATABASE_URL,
  X402_FACILITATOR_URL: 'https://facilitator.example',
  X402_PAY_TO: PAY_TO,
};
const signer = {
  AUTHORIZATION_KEYS,
  DATABASE_URL,
  X402_SIGNER_KEY: KEY,
  X402_RPC_URL: 'https://rpc.example',
  X402_PAY_TO: PAY_TO,
};

test('reads the settings of each of the three backends', (t) => {
  t.like(readConfig(sandbox).backend, { kind: 'sandbox', stateFile: '/tmp/state' });
  const rpcUrl = 'https://rpc.example/v1?key=1, http://127.0.0.1:8545';
  t.like(readConfig({ ...signer, X402_RPC_URL: rpcUrl }).backend, { rpcUrl });
  t.like(readConfig(facilitator).backend, { kind: 'facilitator', network: 'eip155:8453', rpcUrl: undefined });
  t.like(readConfig({ ...signer, X402_NETWORK: 'eip155:84532' }).backend, { kind: 'signer', network: 'eip155:84532' });
});

test('a settlement is final after ten blocks, and after one on the local test chain', (t) => {
  t.is(readConfig(sandbox).confirmations, 1);
  t.is(readConfig(signer).confirmations, 10);
  t.is(readConfig({ ...signer, X402_NETWORK: 'eip155:84532' }).confirmations, 10);
  t.is(readConfig({ ...signer, X402_CONFIRMATIONS: '3' }).confirmations, 3);
  t.throws(() => readConfig({ ...signer, X402_CONFIRMATIONS: '0' }), { message: /X402_CONFIRMATIONS: found 0/ });
});

test('channels are offered in the sandbox, and with a signer and an authorizer', (t) => {
  const authorizer = `0x${'5'.repeat(64)}`;
  t.like(readConfig(sandbox).channels, {
    isOffered: true,
    authorizerKey: { path: '.tollhouse/keys/receiver-authorizer', mayCreate: true },
    withdrawDelaySeconds: 86_400,
    minDeposit: 140_000n,
  });
  t.like(readConfig({ ...sandbox, X402_SCHEMES: 'exact' }).channels, { isOffered: false });
  t.is(readConfig(signer).channels, undefined);
  t.like(readConfig({ ...signer, X402_RECEIVER_AUTHORIZER_KEY: authorizer }).channels, { authorizerKey: authorizer });
  t.is(readConfig({ ...facilitator, X402_RECEIVER_AUTHORIZER_KEY: authorizer }).channels, undefined);
  t.throws(() => readConfig({ ...sandbox, X402_WITHDRAW_DELAY_S: '899' }), { message: /X402_WITHDRAW_DELAY_S/ });
});

const sandboxAt = (SANDBOX_RPC_URL: string) => ({ ...sandbox, SANDBOX_RPC_URL });
const WRONG: readonly (readonly [string, NodeJS.ProcessEnv, RegExp])[] = [
  ['no backend', { DATABASE_URL }, /exactly one of .* found none/],
  ['two backends', { ...sandbox, ...facilitator }, /exactly one of .* found X402_FACILITATOR_URL and SANDBOX_RPC_URL/],
  ['a sandbox on another host', sandboxAt('http://10.0.0.7:8545'), /SANDBOX_RPC_URL: found the host 10\.0\.0\.7/],
  ['a host whose name starts like a loopback address', sandboxAt('http://127.0.0.1.example:8545'), /SANDBOX_RPC_URL/],
  ['no state file', { ...sandbox, SANDBOX_STATE_FILE: '' }, /SANDBOX_STATE_FILE/],
  ['no recipient', { ...facilitator, X402_PAY_TO: '' }, /X402_PAY_TO/],
  ['the zero address as recipient', { ...facilitator, X402_PAY_TO: `0x${'0'.repeat(40)}` }, /X402_PAY_TO/],
  ['a signer without a node', { ...signer, X402_RPC_URL: '' }, /X402_RPC_URL/],
  ['a list of nodes with a gap', { ...signer, X402_RPC_URL: 'https://a.example,,https://b.example' }, /X402_RPC_URL/],
  ['an unknown network', { ...facilitator, X402_NETWORK: 'eip155:1' }, /X402_NETWORK/],
  ['a maximum fee of zero', { ...signer, X402_MAX_FEE_GWEI: '0' }, /X402_MAX_FEE_GWEI/],
  ['a short key', { ...signer, X402_SIGNER_KEY: '0x1234' }, /X402_SIGNER_KEY/],
];

for (const [what, environment, message] of WRONG) {
  test(`refuses ${what}`, (t) => {
    t.throws(() => readConfig(environment), { name: 'ConfigurationError', message });
  });
}

test('the error for a malformed key does not repeat the key', (t) => {
  const error = t.throws(() => readConfig({ ...signer, X402_SIGNER_KEY: 'hunter2' }));
  t.false(error.message.includes('hunter2'));
});
