import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { credentials, status } from '@grpc/grpc-js';
import test from 'ava';
import {
  ContentServiceClient,
  ContentServiceService,
  type ConvertHtmlRequest,
} from '../../../proto/gen/tollhouse/content/v1/content.ts';
import { createContentClient } from '../../../services/content/contract/client.ts';
import { createDocumentLanes } from '../../../services/content/document-lanes.ts';
import { createContentService } from '../../../services/content/service.ts';
import { CallError, openChannels } from '../../../services/platform/grpc/grpc-client.ts';
import { startGrpcServer } from '../../../services/platform/grpc/grpc-server.ts';
import { createPool, PoolError } from '../../../services/platform/pools/pool.ts';
import { createLogger } from '../../../services/platform/process/logger.ts';
import { htmlToMarkdown } from '../../../workers/html-to-markdown/html-to-markdown.ts';
import type { HtmlBatch, MarkdownBatch } from '../../../workers/html-to-markdown/worker.ts';
import { entryPoint } from '../../kit/entry-point.ts';
import { HANG_MS, until } from '../../kit/until.ts';
import { askMessage } from '../platform/grpc/ask-message.ts';

const MAIN = entryPoint('services/content/main.ts');
const WORKER = new URL('../../../workers/html-to-markdown/worker.ts', import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'tollhouse-test-'));
const target = `unix:${folder}/content.sock`;
let service: ChildProcess;
const channels = openChannels(ContentServiceClient, target);
const convertBatch = (documents: ConvertHtmlRequest[]) =>
  askMessage(
    channels.open((client) => client.convertHtmlStream()),
    documents,
  );
const convert = (html: string, timeoutMs = HANG_MS) =>
  channels.call((client) => client.convertHtml, { html, sourceUrl: undefined }, { timeoutMs });

test.before(async () => {
  const env = {
    ...process.env,
    LISTEN: target,
    CONTENT_THREADS: '2',
    LOG_LEVEL: 'warn',
  };
  service = spawn(process.execPath, [MAIN], { env, stdio: 'inherit' });
  // The client has two channels, and each connects on its own. Four answers in a row come from both.
  let inARow = 0;
  await until(async () => {
    inARow = await convert('<p>ready').then(
      () => inARow + 1,
      () => 0,
    );
    return inARow >= 4;
  });
});
test.after.always(() => {
  channels.close();
  service.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Takes a thread several seconds, and is within the size limits. */
const SLOW = `<p>${'<b>a</b> '.repeat(90_000)}`;

test.serial('converts one document', async (t) => {
  const answer = await convert('<title>T</title><h1>T</h1><p>x');
  t.deepEqual(answer, {
    title: 'T',
    byline: undefined,
    excerpt: undefined,
    markdown: '# T\n\nx\n',
    markdownCharacters: 7,
  });
});

test.serial('refuses a document over a limit with INVALID_ARGUMENT and the code of that limit', async (t) => {
  const error = await t.throwsAsync(convert('<b>'.repeat(100_001)), { instanceOf: CallError });
  t.is(error.status, status.INVALID_ARGUMENT);
  t.is(error.code, 'DOCUMENT_TOO_COMPLEX');
});

test.serial('a batch has one outcome for each document, in their order', async (t) => {
  const large = `<p>${'large '.repeat(5000)}`;
  const documents = ['<p>one', ' ', '<b>'.repeat(100_001), large, '<p>two', '<b>'.repeat(5000)].map((html) => ({
    html,
  }));
  const many = Array.from({ length: 50 }, (_, index) => ({ html: `<p>document ${index}` }));
  const outcomes = await convertBatch([...documents, ...many]);
  const found = outcomes.map(({ outcome }) =>
    outcome?.$case === 'result' ? outcome.value.markdown : outcome?.value.code,
  );
  t.deepEqual(found.slice(0, 5), [
    'one\n',
    'INVALID_ARGUMENT',
    'DOCUMENT_TOO_COMPLEX',
    `${'large '.repeat(5000).trim()}\n`,
    'two\n',
  ]);
  t.deepEqual(
    found.slice(6),
    many.map((_, index) => `document ${index}\n`),
  );
});

test.serial('a batch of too many documents is refused', async (t) => {
  const documents = Array.from({ length: 1025 }, () => ({ html: 'a' }));
  t.is((await t.throwsAsync(convertBatch(documents), { instanceOf: CallError })).code, 'INVALID_ARGUMENT');
});

test.serial('documents of a batch whose thread dies are converted alone', async (t) => {
  const logger = createLogger({ name: 'test', level: 'silent' });
  const sizes: number[] = [];
  const lanes = {
    threads: 1,
    async run({ documents }: HtmlBatch) {
      sizes.push(documents.length);
      if (documents.some(({ html }) => html.includes('poison'))) throw new PoolError('WORKER_OUT_OF_MEMORY', 'memory');
      return {
        ok: true as const,
        value: documents.map((document) => ({ ok: true as const, value: htmlToMarkdown(document) })),
      };
    },
  };
  const server = await startGrpcServer({
    listen: `unix:${folder}/dying.sock`,
    service: ContentServiceService,
    implementation: createContentService({ lanes, timeLimitMs: 5000, logger }),
    logger,
  });
  const client = createContentClient(server.address);
  const converted = ['<p>a', '<p>poison', '<p>b', '<p>c'].map((html) =>
    client.convertHtml({ html }, { timeoutMs: HANG_MS }).then(
      ({ markdown }) => markdown,
      (error: CallError) => error.code,
    ),
  );
  t.deepEqual(await Promise.all(converted), ['a\n', 'DOCUMENT_TOO_COMPLEX', 'b\n', 'c\n']);
  t.deepEqual(sizes, [4, 1, 1, 1, 1]);
  client.close();
  await server.close();
});

test.serial('a deadline ends the work of the thread, which takes the next document', async (t) => {
  const slow = Array.from({ length: 2 }, () => t.throwsAsync(convert(SLOW, 150), { instanceOf: CallError }));
  for (const error of await Promise.all(slow)) {
    t.is(error?.status, status.DEADLINE_EXCEEDED);
    t.not(error?.code, 'DOCUMENT_TOO_SLOW');
  }
  t.is((await convert('<p>next')).markdown, 'next\n');
});

test.serial('a document over the time limit of its conversion is DOCUMENT_TOO_SLOW', async (t) => {
  const logger = createLogger({ name: 'test', level: 'silent' });
  const pool = createPool<HtmlBatch, MarkdownBatch>({ worker: WORKER, threads: 1 });
  const lanes = createDocumentLanes(pool, { maxQueue: 1, maxQueueBytes: 1 });
  const server = await startGrpcServer({
    listen: `unix:${folder}/hasty.sock`,
    service: ContentServiceService,
    implementation: createContentService({ lanes, timeLimitMs: 50, logger }),
    logger,
  });
  const hasty = openChannels(ContentServiceClient, server.address);
  const slow = hasty.call((client) => client.convertHtml, { html: SLOW, sourceUrl: undefined }, { timeoutMs: HANG_MS });
  const error = await t.throwsAsync(slow, { instanceOf: CallError });
  t.is(error.status, status.DEADLINE_EXCEEDED);
  t.is(error.code, 'DOCUMENT_TOO_SLOW');
  hasty.close();
  await server.close();
  await pool.close();
});

test.serial('refuses more documents than may wait with RESOURCE_EXHAUSTED, OVERLOADED', async (t) => {
  const held = Promise.withResolvers<{ ok: true; value: MarkdownBatch }>();
  const limits = { maxQueue: 4, maxQueueBytes: 64 * 1024 * 1024 };
  const lanes = createDocumentLanes({ threads: 1, run: () => held.promise }, limits);
  const logger = createLogger({ name: 'test', level: 'silent' });
  const server = await startGrpcServer({
    listen: `unix:${folder}/full.sock`,
    service: ContentServiceService,
    implementation: createContentService({ lanes, timeLimitMs: 60_000, logger }),
    logger,
  });
  const full = openChannels(ContentServiceClient, server.address);
  const refused: CallError[] = [];
  const calls = Array.from({ length: 12 }, () =>
    full
      .call((client) => client.convertHtml, { html: SLOW, sourceUrl: undefined }, { timeoutMs: HANG_MS })
      .catch((error: CallError) => refused.push(error)),
  );
  // One is converted, and four wait.
  await until(() => refused.length === 12 - 1 - 4);
  for (const { status: found, code } of refused) t.deepEqual([found, code], [status.RESOURCE_EXHAUSTED, 'OVERLOADED']);
  held.resolve({ ok: true, value: [{ ok: true, value: htmlToMarkdown({ html: '<p>x' }) }] });
  await Promise.all(calls);
  full.close();
  await server.close();
});

test.serial('a stream that its caller cancels leaves no work behind', async (t) => {
  const client = new ContentServiceClient(target, credentials.createInsecure());
  const stream = client.convertHtmlStream();
  stream.on('error', () => {});
  stream.write({ id: 1n, items: Array.from({ length: 4 }, () => ({ html: SLOW })) });
  stream.cancel();
  t.is((await convert('<p>after')).markdown, 'after\n');
  client.close();
});
