import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { type ContentClient, createContentClient } from '../../../services/content/contract/client.ts';
import { findPlugins } from '../../../services/content/plugins.ts';
import type { CallError } from '../../../services/platform/grpc/grpc-client.ts';
import { EX_CONFIG } from '../../../services/platform/process/environment.ts';
import { entryPoint } from '../../kit/entry-point.ts';
import { HANG_MS, until } from '../../kit/until.ts';

const MAIN = entryPoint('services/content/main.ts');
const folder = mkdtempSync(join(tmpdir(), 'tollhouse-test-'));
test.after.always(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, source: string): string {
  writeFileSync(join(folder, name), source);
  return join(folder, name);
}

const BAD = file(
  'bad.cjs',
  `const rule = (name, replacement) => (service) => service.addRule(name, { filter: name, replacement });
  exports.rules = [
    rule('x-throw', () => { throw new Error('no such card'); }),
    rule('x-none', () => undefined),
    rule('x-loop', () => { for (;;); }),
    rule('x-full', () => { const all = []; for (;;) all.push(new Array(1e6).fill({})); }),
    rule('x-exit', () => process.exit(0)),
  ];`,
);
const CARD = file(
  'card.mjs',
  `import { basename } from 'node:path';
  export default (service) => service.addRule('card', {
    filter: 'x-card',
    replacement: (content, node) => \`[\${content}](\${basename(node.getAttribute('href'))})\`,
  });`,
);

function start(plugins: string, args: readonly string[] = []) {
  const env = {
    ...process.env,
    LISTEN: `unix:${folder}/content.sock`,
    CONTENT_PLUGINS: plugins,
    CONTENT_THREADS: '2',
    CONTENT_TIME_LIMIT_MS: '2000',
    CONTENT_THREAD_MEMORY_MB: '64',
    LOG_LEVEL: 'info',
  };
  return spawn(process.execPath, [MAIN, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] });
}

const convert = (client: ContentClient, html: string) =>
  client.convertHtml({ html }, { timeoutMs: HANG_MS }).then(
    ({ markdown }) => markdown,
    ({ code, message }: CallError) => `${code}: ${message}`,
  );

test.serial(
  'plugins write their elements, and one that fails, loops or ends its thread harms no other call',
  async (t) => {
    const service = start(`${CARD}, ${BAD}#rules`);
    const logged = text(service.stdout);
    const client = createContentClient(`unix:${folder}/content.sock`);
    try {
      const card = '<p>a <x-card href="/x/y">b</x-card>';
      await until(async () => (await convert(client, card)) === 'a [b](y)\n');
      const failing = ['throw', 'none', 'loop', 'full', 'exit'].map((name) => `<p>a<x-${name}>b</x-${name}>`);
      const answers = await Promise.all(failing.flatMap((html) => [convert(client, html), convert(client, card)]));
      const failed = 'PLUGIN_FAILED: a Turndown plugin of this service';
      const written = 'a [b](y)\n';
      t.deepEqual(answers, [
        ...[`${failed} failed: Error: no such card`, written],
        ...[`${failed} failed: a rule for X-NONE returned no text`, written],
        ...[`${failed} exceeded the time limit`, written],
        ...[`${failed} exceeded the memory of its thread`, written],
        ...[`${failed} ended its thread`, written],
      ]);
    } finally {
      client.close();
      service.kill();
    }
    t.true((await logged).includes(`html-to-markdown:${findPlugins(`${CARD},${BAD}#rules`)?.digest}`));
  },
);

const REFUSED: readonly (readonly [string, string, readonly string[], string])[] = [
  [
    'is not there',
    './none.mjs',
    ['--check'],
    'CONTENT_PLUGINS: found ./none.mjs, which cannot be used: Cannot find module',
  ],
  ['exports no function', BAD, [], `CONTENT_PLUGINS: TypeError: ${BAD} exports no function`],
  ['throws', file('throws.cjs', 'throw new Error("broken");'), [], 'CONTENT_PLUGINS: Error: broken'],
];

for (const [what, plugins, args, said] of REFUSED) {
  test.serial(`a module that ${what} is a fault of the configuration`, async (t) => {
    const service = start(plugins, args);
    const [printed, [code]] = await Promise.all([text(service.stdout), once(service, 'exit')]);
    t.is(code, EX_CONFIG);
    t.true(printed.includes(said), printed);
  });
}

test('the digest tells the files of the plugins, their exports and their order', (t) => {
  const digests = [CARD, `${CARD}#default`, BAD, `${CARD},${BAD}`, `${BAD},${CARD}`].map(
    (names) => findPlugins(names)?.digest,
  );
  t.is(new Set(digests).size, 5);
  for (const digest of digests) t.regex(digest ?? '', /^[0-9a-f]{32}$/);
  t.is(findPlugins(`${CARD}, `)?.digest, digests[0]);
  t.is(findPlugins(' , '), undefined);
});
