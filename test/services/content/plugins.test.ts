import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { ContentServiceService } from '../../../proto/gen/tollhouse/content/v1/content.ts';
import { type ContentClient, createContentClient } from '../../../services/content/contract/client.ts';
import { createDocumentLanes } from '../../../services/content/document-lanes.ts';
import { findPlugins } from '../../../services/content/plugins.ts';
import { createContentService } from '../../../services/content/service.ts';
import type { CallError } from '../../../services/platform/grpc/grpc-client.ts';
import { startGrpcServer } from '../../../services/platform/grpc/grpc-server.ts';
import { createPool } from '../../../services/platform/pools/pool.ts';
import { EX_CONFIG } from '../../../services/platform/process/environment.ts';
import { createLogger } from '../../../services/platform/process/logger.ts';
import { defined } from '../../../workers/exact/defined.ts';
import type { HtmlBatch, HtmlWorkerData, MarkdownBatch } from '../../../workers/html-to-markdown/worker.ts';
import { entryPoint } from '../../kit/entry-point.ts';
import { HANG_MS, until } from '../../kit/until.ts';

const MAIN = entryPoint('services/content/main.ts');
const WORKER = new URL('../../../workers/html-to-markdown/worker.ts', import.meta.url);
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
    LOG_LEVEL: 'info',
  };
  return spawn(process.execPath, [MAIN, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] });
}

const convert = (client: ContentClient, html: string) =>
  client.convertHtml({ html }, { timeoutMs: HANG_MS }).then(
    ({ markdown }) => markdown,
    ({ code, message }: CallError) => `${code}: ${message}`,
  );

const CARD_HTML = '<p>a <x-card href="/x/y">b</x-card>';
const WRITTEN = 'a [b](y)\n';

test.serial('a plugin that fails, loops or ends its thread harms no other call', async (t) => {
  const workerData: HtmlWorkerData = { plugins: defined(findPlugins(`${CARD}, ${BAD}#rules`)).modules };
  const pool = createPool<HtmlBatch, MarkdownBatch>({ worker: WORKER, threads: 2, memoryMb: 64, workerData });
  const lanes = createDocumentLanes(pool, { maxQueue: 64, maxQueueBytes: 1024 * 1024 });
  const logger = createLogger({ name: 'test', level: 'silent' });
  const server = await startGrpcServer({
    listen: `unix:${folder}/failing.sock`,
    service: ContentServiceService,
    implementation: createContentService({ lanes, timeLimitMs: 2000, hasPlugins: true, logger }),
    logger,
  });
  const client = createContentClient(server.address);
  const failing = ['throw', 'none', 'loop', 'full', 'exit'].map((name) => `<p>a<x-${name}>b</x-${name}>`);
  const answers = await Promise.all(failing.flatMap((html) => [convert(client, html), convert(client, CARD_HTML)]));
  const failed = 'PLUGIN_FAILED: a Turndown plugin of this service';
  t.deepEqual(answers, [
    ...[`${failed} failed: Error: no such card`, WRITTEN],
    ...[`${failed} failed: a rule for X-NONE returned no text`, WRITTEN],
    ...[`${failed} exceeded the time limit`, WRITTEN],
    ...[`${failed} exceeded the memory of its thread`, WRITTEN],
    ...[`${failed} ended its thread`, WRITTEN],
  ]);
  client.close();
  await server.close();
  await pool.close();
});

test.serial('a service uses the plugins of its settings, and logs their digest', async (t) => {
  const service = start(`${CARD}, ${BAD}#rules`);
  const logged = text(service.stdout);
  const client = createContentClient(`unix:${folder}/content.sock`);
  try {
    await until(async () => (await convert(client, CARD_HTML)) === WRITTEN);
    t.regex(await convert(client, '<p>a<x-throw>b</x-throw>'), /^PLUGIN_FAILED: /);
  } finally {
    client.close();
    service.kill();
  }
  t.true((await logged).includes(`html-to-markdown:${findPlugins(`${CARD},${BAD}#rules`)?.digest}`));
});

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
