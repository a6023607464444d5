import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import test from 'ava';
import { Type } from 'typebox';
import { operations } from '../../../gateway/operations/index.ts';
import { once } from '../../../gateway/pages/site/once.ts';
import { createJsonReader } from '../../../scripts/launch/parse/json-reader.ts';
import { post, rawRequest } from '../../kit/client.ts';
import { environmentWithCurl } from '../../kit/curl.ts';
import { codeOf, openPrograms } from '../../kit/quickstarts.ts';
import { useSharedStack } from '../../kit/shared-stack.ts';

const TIMEOUT_MS = 60_000;

const withCurl = once(environmentWithCurl);
const UNPAID = /^HTTP\/1\.1 402 .*payment-required: /s;
const readServers = createJsonReader(
  Type.Object({ mcpServers: Type.Object({ tollhouse: Type.Object({ url: Type.String() }) }) }),
  'the list of servers',
);

async function runCurl(code: string): Promise<string> {
  const env = await withCurl();
  return (await promisify(execFile)('sh', ['-c', code], { env, timeout: TIMEOUT_MS })).stdout;
}

const stack = await useSharedStack();
const programs = await openPrograms();
test.after.always(async () => {
  await programs.remove();
  await stack.stop();
});

const read = async (path: string): Promise<string> => (await rawRequest(stack.urls[0] + path, { method: 'GET' })).text;
const pageOf = (name: string): Promise<string> => read(`/apis/${name}.md`);

for (const { name, responseExample } of operations) {
  for (const [language, quote] of [
    ['ts', ''],
    ['python', "'"],
  ] as const) {
    test(`the quickstart of ${name} in ${language} gets a confirmed result`, async (t) => {
      const { exitCode, stdout, stderr } = await programs.run(language, codeOf(await pageOf(name), language));
      t.is(exitCode, 0, stderr);
      t.regex(stdout, /^confirmed \{/);
      for (const field of Object.keys(responseExample)) t.true(stdout.includes(`${quote}${field}${quote}:`), field);
    });
  }

  test(`the quickstart of ${name} with curl gets the price and a challenge`, async (t) => {
    t.regex(await runCurl(codeOf(await pageOf(name), 'sh')), UNPAID);
  });
}

test('the samples of the start page call the operation, with a program, a tool and a command', async (t) => {
  const page = await read('/index.md');
  const { stdout, stderr } = await programs.run('ts', codeOf(page, 'ts'));
  t.regex(stdout, /^200 .*"markdown":"# Hello/, stderr);
  t.regex(await runCurl(codeOf(page, 'sh')), UNPAID);
  const { url } = readServers(codeOf(page, 'json')).mcpServers.tollhouse;
  const list = await post(url, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  t.regex(list.text, /"html_to_markdown"/);
});

test('the program of the API page pays with play money', async (t) => {
  const code = codeOf(await read('/docs/api.md'), 'ts').replace('http://127.0.0.1:8402', stack.urls[0]);
  const { stdout, stderr } = await programs.run('ts', code);
  t.regex(stdout, /^200 .*"markdown":"# Hello/, stderr);
});
