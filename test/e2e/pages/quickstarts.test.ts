import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import test from 'ava';
import { operations } from '../../../gateway/operations/index.ts';
import { once } from '../../../gateway/pages/site/once.ts';
import { rawRequest } from '../../kit/client.ts';
import { environmentWithCurl } from '../../kit/curl.ts';
import { codeOf, openPrograms } from '../../kit/quickstarts.ts';
import { useSharedStack } from '../../kit/shared-stack.ts';

const TIMEOUT_MS = 60_000;

const withCurl = once(environmentWithCurl);
const stack = await useSharedStack();
const programs = await openPrograms();
test.after.always(async () => {
  await programs.remove();
  await stack.stop();
});

const pageOf = async (name: string): Promise<string> =>
  (await rawRequest(`${stack.urls[0]}/apis/${name}.md`, { method: 'GET' })).text;

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
    const env = await withCurl();
    const code = codeOf(await pageOf(name), 'sh');
    const { stdout } = await promisify(execFile)('sh', ['-c', code], { env, timeout: TIMEOUT_MS });
    t.regex(stdout, /^HTTP\/1\.1 402 .*payment-required: /s);
  });
}
