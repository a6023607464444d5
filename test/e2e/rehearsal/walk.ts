import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { x402Facilitator } from '@x402/core/facilitator';
import { toFacilitatorEvmSigner } from '@x402/evm';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import type { ExecutionContext } from 'ava';
import { type Abi, createWalletClient, type Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { freePort } from '../../../scripts/launch/servers/free-port.ts';
import { createTerms, type KnownNetwork } from '../../../services/payments/payment/terms.ts';
import { contractsWith } from '../../../services/payments/sandbox/contracts.ts';
import { awaitReceipt, connectChain, createWallet, type TestChain, toChain } from '../../kit/chain.ts';
import { INHERITED } from '../../kit/inherited.ts';
import { startTestAnvil, startTestPostgres, startTestRedis } from '../../kit/servers.ts';
import { createTestFolder } from '../../kit/test-folder.ts';
import { until } from '../../kit/until.ts';
import { runCommand } from '../../scripts/cli/tollhouse/run-command.ts';
import { saying, startFacilitator } from '../../services/payments/test-facilitator.ts';

// The walk of docs/operations/rehearsal.md, with the settings of deploy/production.env.example, on chains that have the id and the
// token of the public ones.

const ROOT = resolve(import.meta.dirname, '../../..');
const EXAMPLE = readFileSync(join(ROOT, 'deploy/production.env.example'), 'utf8');
/** Anvil's third development account. It pays for gas. */
const SIGNER_KEY: Hex = '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a';
const FUNDS = 1_000_000n;

type Settings = Readonly<Record<string, string>>;

/** The settings that an example file gives, which are not commented out. */
const settingsOf = (example: string): Settings =>
  Object.fromEntries(
    example.split('\n').flatMap((line) => {
      const [, name = '', value = ''] = /^([A-Z0-9_]+)=(.*)$/.exec(line) ?? [];
      return name === '' ? [] : [[name, value]];
    }),
  );

/** A chain with the id and the contracts of a network, which makes a block each second. */
async function startNetwork(t: ExecutionContext, network: KnownNetwork) {
  const { asset, chainId } = createTerms({ network, payTo: createWallet().address, sandbox: false });
  const anvil = await startTestAnvil(chainId);
  t.teardown(() => anvil.stop());
  const chain = connectChain(anvil.url, asset);
  for (const contract of contractsWith(asset)) await chain.node.setCode(contract);
  await chain.node.setIntervalMining({ interval: 1 });
  return { url: anvil.url, chain };
}

/** A facilitator of the official parts, which settles on a chain. */
async function startOfficialFacilitator(t: ExecutionContext, network: KnownNetwork, chain: TestChain, url: string) {
  const account = privateKeyToAccount(SIGNER_KEY);
  const wallet = createWalletClient({ account, transport: toChain(url) });
  const { node } = chain;
  const signer = toFacilitatorEvmSigner({
    address: account.address,
    // The package types ABIs as lists of unknown values.
    readContract: ({ abi, ...args }) => node.readContract({ ...args, abi: abi as Abi }),
    writeContract: ({ abi, ...args }) => wallet.writeContract({ ...args, chain: null, abi: abi as Abi }),
    sendTransaction: (transaction) => wallet.sendTransaction({ ...transaction, chain: null }),
    waitForTransactionReceipt: ({ hash }) => awaitReceipt(node, hash),
    getCode: (args) => node.getCode(args),
    verifyTypedData: (args) => node.verifyTypedData(args as never),
  });
  const facilitator = new x402Facilitator().register(network, new ExactEvmScheme(signer));
  const server = await startFacilitator(async (response, { path, body }) => {
    const { paymentPayload, paymentRequirements } = body as Parameters<typeof JSON.stringify>[0];
    const answer =
      path === '/verify'
        ? await facilitator.verify(paymentPayload, paymentRequirements)
        : await facilitator.settle(paymentPayload, paymentRequirements);
    return saying(answer)(response);
  });
  t.teardown(() => server.stop());
  return server.url;
}

/** The commands of a checkout, or of a package. */
export interface Commands {
  readonly start: readonly [string, ...(readonly string[])];
  readonly try: readonly [string, ...(readonly string[])];
}

const CHECKOUT: Commands = {
  start: [process.execPath, join(ROOT, 'scripts/launch/main.ts')],
  try: [process.execPath, join(ROOT, 'scripts/cli/try/main.ts')],
};

/** Runs a program of the product to its end, or until the test ends. */
function run(t: ExecutionContext, [program, ...args]: Commands['start'], environment: Settings) {
  const child = spawn(program, args, {
    env: { ...INHERITED, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)));
  const ended = new Promise<number | null>((done) => child.once('close', done));
  t.teardown(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  return { child, output: () => output, ended };
}

/** Takes the walk on a chain with the id and token of a network. */
export async function walk(
  t: ExecutionContext,
  network: KnownNetwork,
  way: 'facilitator' | 'signer',
  commands = CHECKOUT,
) {
  const { url: nodeUrl, chain } = await startNetwork(t, network);
  const [postgres, redis] = await Promise.all([startTestPostgres(), startTestRedis()]);
  t.teardown(() => Promise.all([postgres.stop(), redis.stop()]));
  const folder = createTestFolder();
  t.teardown(folder.remove);
  const place = (name: string, content: string) => {
    mkdirSync(join(folder.path, 'etc'), { recursive: true, mode: 0o700 });
    const path = join(folder.path, 'etc', name);
    writeFileSync(path, `${content}\n`, { mode: 0o600 });
    return path;
  };

  // What the example says, with the files and addresses of this machine.
  const keys = join(folder.path, 'keys');
  t.is((await runCommand({}, ['keys', 'create', keys])).exitCode, 0);
  const example = settingsOf(EXAMPLE.replaceAll('/etc/tollhouse/keys', keys));
  const port = await freePort();
  const { X402_SIGNER_KEY_FILE: _, X402_RECEIVER_AUTHORIZER_KEY_FILE: authorizer = '', ...common } = example;
  const settles: Settings =
    way === 'signer'
      ? { X402_SIGNER_KEY_FILE: place('signer', SIGNER_KEY), X402_RECEIVER_AUTHORIZER_KEY_FILE: authorizer }
      : { X402_FACILITATOR_URL: await startOfficialFacilitator(t, network, chain, nodeUrl) };
  const payee = way === 'signer' ? privateKeyToAccount(SIGNER_KEY).address : createWallet().address;
  const settings: Settings = {
    ...common,
    ...settles,
    DATABASE_URL_FILE: place('database-url', postgres.url),
    REDIS_URL: redis.url,
    TOLLHOUSE_DATA: join(folder.path, 'data'),
    X402_NETWORK: network,
    X402_PAY_TO: payee,
    X402_RPC_URL_FILE: place('rpc-url', nodeUrl),
    PORT: String(port),
    PUBLIC_URLS: `http://127.0.0.1:${port}`,
    ...{ SOLVER_THREADS: '1', MAPS_THREADS: '1', CONTENT_THREADS: '1' },
  };
  const tollhouse = (...args: readonly string[]) => runCommand(settings, args);

  const server = run(t, commands.start, settings);
  await until(() => server.output().includes('Stop it:') || server.child.exitCode !== null);
  t.regex(server.output(), /Tollhouse is ready/);
  t.notRegex(server.output(), /PLAY MONEY/);
  const doctor = await tollhouse('doctor', '--url', `http://127.0.0.1:${port}`);
  t.is(doctor.exitCode, 0, doctor.output);

  // A wallet that its owner funded.
  const walletKey = generatePrivateKey();
  await chain.mint(privateKeyToAccount(walletKey).address, FUNDS);
  const page = place('page.html', '<h1>Tolls</h1>');
  const tryIt = async (...args: readonly string[]) => {
    const wallet = ['--wallet', place('wallet', walletKey), '--url', `http://127.0.0.1:${port}`];
    const { ended, output } = run(t, [...commands.try, 'html-to-markdown', page, ...wallet, ...args], {});
    t.is(await ended, 0, output());
    t.regex(output(), /# Tolls/);
    return output();
  };
  t.regex(await tryIt(), /x-trial-status: charged/);
  t.regex(await tryIt('--pay'), /settled in: 0x/);
  if (way === 'signer') t.regex(await tryIt('--pay', '--channel', '--rpc', nodeUrl), /returned: \d+ micro-USD/);

  const [{ claimId } = { claimId: '' }] = JSON.parse((await tollhouse('payments', 'list', '--json')).output);
  await until(
    async () => JSON.parse((await tollhouse('payments', 'show', claimId, '--json')).output).claim.state === 'final',
  );
  const earned = JSON.parse((await tollhouse('earnings', '--by', 'scheme', '--json')).output);
  const channel = way === 'signer' ? [['batch-settlement', '9000']] : [];
  t.deepEqual(
    earned.map(({ scheme, soldMicroUsd }: Settings) => [scheme, soldMicroUsd]),
    [...channel, ['exact', '3000']],
  );
  t.is(await chain.balanceOf(payee), way === 'signer' ? 12_000n : 3000n);
  const refund = await tollhouse('payments', 'refund', claimId, '--reason', 'a rehearsal');
  t.regex(refund.output + refund.errors, /Send this transfer with the wallet of the payee/);
  const reconciled = await tollhouse('payments', 'reconcile');
  t.is(reconciled.exitCode, 0, reconciled.output + reconciled.errors);

  server.child.kill('SIGTERM');
  t.is(await server.ended, 0);
}
