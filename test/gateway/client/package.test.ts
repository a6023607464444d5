import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { FUNDS, PRICE } from '../../kit/buyers.ts';
import { connectChain, type Wallet } from '../../kit/chain.ts';
import { CONVERT, fundedWallet, post, requirementsOf } from '../../kit/client.ts';
import { INHERITED } from '../../kit/inherited.ts';
import { portOf } from '../../kit/port-of.ts';
import { useSharedStack } from '../../kit/shared-stack.ts';
import { createTestFolder } from '../../kit/test-folder.ts';
import { signText } from './remote-wallet.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const GENERATED = join(ROOT, 'gateway/client/generated');
const MAX_BYTES = 30_000;
const run = promisify(execFile);

const PROGRAM = `import { type CallOutcome, createClient, type Signer } from 'tollhouse/client';
import { createFileStore } from 'tollhouse/client/file-store';
import { createTrialClient } from 'tollhouse/client/trial';
import { createWebStore } from 'tollhouse/client/web-store';
declare const process: { readonly argv: readonly string[] };
const [origin = '', wallet = '', address = ''] = process.argv.slice(2);
const toText = (data: object) => JSON.stringify(data, (_, value) => (typeof value === 'bigint' ? String(value) : value));
const sign = async (data: object) => (await fetch(wallet, { method: 'POST', body: toText(data) })).text();
const signer: Signer = { address: address as Signer['address'], signMessage: sign, signTypedData: sign };
const client = createClient({ origin, signer, store: createFileStore('payments') });
const input = { html: '<h1>Toll</h1>' };
const paid: CallOutcome<{ readonly markdown: string }> =
  await client.call('html-to-markdown', input, { pay: 'exact', maxPrice: 3000n });
const tried = await createTrialClient({ origin, signer }).call('html-to-markdown', input);
for (const outcome of [paid, tried])
  console.log(outcome.ok ? outcome.paidBy + ' ' + outcome.result.markdown.trim() : outcome.charged + ' ' + outcome.code);
console.log(typeof createWebStore);
`;

const stack = await useSharedStack();
const [origin] = stack.urls;
const [{ asset }] = requirementsOf(await post(origin + CONVERT, {})).accepts;
const chain = connectChain(stack.chainUrl, asset);
const folder = createTestFolder();
const program = join(folder.path, 'program');
let faults = '';
test.before(async () => {
  const options = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder.path];
  const packed = execFileSync('npm', options, { cwd: ROOT, encoding: 'utf8' }).trim();
  const installed = join(program, 'node_modules/tollhouse');
  mkdirSync(installed, { recursive: true });
  // As npm installs it, but without the packages of the server: the client needs none.
  execFileSync('tar', ['-xzf', join(folder.path, packed), '-C', installed, '--strip-components=1']);
  writeFileSync(join(program, 'main.mts'), PROGRAM);
  const compiler = join(ROOT, 'node_modules/typescript-native/bin/tsc');
  const rules = ['--strict', '--types', '', '--lib', 'es2024,dom', '--target', 'es2023', '--module', 'nodenext'];
  const compiled = run(process.execPath, [compiler, ...rules, 'main.mts'], { cwd: program });
  faults = (await compiled.catch((error) => error)).stdout;
});
test.after.always(async () => {
  folder.remove();
  await stack.stop();
});

/** This Node, and the other versions that the machine has. */
function findNodes(): ReadonlyMap<string, string> {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin'];
  const found = folders.map((path) => join(path, 'node')).filter((path) => existsSync(path));
  const paths = new Set([process.execPath, ...found].map((path) => realpathSync(path)));
  return new Map(Array.from(paths, (path) => [execFileSync(path, ['--version'], { encoding: 'utf8' }).trim(), path]));
}

/** Signs for the program, which has no packages that could. */
async function startWallet(wallet: Wallet) {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    response.end(await signText(wallet, Buffer.concat(parts).toString('utf8')));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${portOf(server)}`, close: () => server.close() };
}

test('its declarations are strict, and need no packages', (t) => t.is(faults, ''));

for (const [version, node] of findNodes()) {
  test(`a program that has installed the package pays and tries under Node ${version}`, async (t) => {
    const wallet = await fundedWallet(origin);
    const remote = await startWallet(wallet);
    t.teardown(remote.close);
    const { stdout } = await run(node, ['main.mjs', origin, remote.url, wallet.address], {
      cwd: program,
      env: INHERITED,
    });
    t.deepEqual(stdout.split('\n'), ['exact # Toll', 'trial # Toll', 'function', '']);
    t.is(await chain.balanceOf(wallet.address), FUNDS - PRICE);
  });
}

test('the modules are small, and that of trials has no code that pays', (t) => {
  for (const name of ['client', 'trial']) t.true(statSync(join(GENERATED, `${name}.mjs`)).size < MAX_BYTES);
  const texts = ['client', 'trial'].map((name) => readFileSync(join(GENERATED, `${name}.mjs`), 'utf8'));
  const isPaying = (text = '') => /payment-signature|signTypedData|WithAuthorization|batch-settlement/.test(text);
  t.deepEqual(texts.map(isPaying), [true, false]);
  t.false(texts.some((text) => /(?:^|;)import\b/m.test(text)));
});
