import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import { operations } from '../../../gateway/operations/index.ts';
import { once } from '../../../gateway/pages/site/once.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { rawRequest } from '../../helpers/client.ts';
import { environmentWithCurl } from '../../helpers/curl.ts';
import { findPython } from '../../helpers/python.ts';
import { useSharedStack } from '../../helpers/shared-stack.ts';

const run = promisify(execFile);
const TIMEOUT_MS = 60_000;
/** In the checkout, so that packages are found. */
const CACHE = fileURLToPath(new URL('../../../.cache/', import.meta.url));

const python = once(findPython);
const withCurl = once(environmentWithCurl);
const stack = await useSharedStack();
await mkdir(CACHE, { recursive: true });
const folder = await mkdtemp(join(CACHE, 'quickstart-'));
test.after.always(async () => {
  if (folder !== undefined) await rm(folder, { recursive: true });
  await stack.stop();
});

/** The code of a language in the quickstart, as it stands on the page. */
async function quickstart(name: string, language: string): Promise<string> {
  const { text } = await rawRequest(`${stack.urls[0]}/apis/${name}.md`, { method: 'GET' });
  const [, block = ''] = new RegExp(`^ *\`\`\`${language}\\n(.*?)^ *\`\`\``, 'ms').exec(text) ?? [];
  return block;
}

for (const { name, responseExample } of operations) {
  test(`the quickstart of ${name} in TypeScript gets a confirmed result`, async (t) => {
    const file = join(folder, `${name}.ts`);
    await writeFile(file, await quickstart(name, 'ts'));
    const { stdout } = await run(process.execPath, [file], { timeout: TIMEOUT_MS });
    t.regex(stdout, /^confirmed \{/);
    for (const field of Object.keys(responseExample)) t.true(stdout.includes(`${field}:`), `${field}: ${stdout}`);
  });

  test(`the quickstart of ${name} in Python gets a confirmed result`, async (t) => {
    const { command, env } = await python();
    const file = join(folder, `${name}.py`);
    await writeFile(file, await quickstart(name, 'python'));
    const { stdout } = await run(command, [file], { env, timeout: TIMEOUT_MS });
    t.regex(stdout, /^confirmed \{/);
    for (const field of Object.keys(responseExample)) t.true(stdout.includes(`'${field}':`), `${field}: ${stdout}`);
  });

  test(`the quickstart of ${name} with curl gets the price and a challenge`, async (t) => {
    const env = await withCurl();
    const { stdout } = await run('sh', ['-c', defined(await quickstart(name, 'sh'))], { env, timeout: TIMEOUT_MS });
    t.regex(stdout, /^HTTP\/1\.1 402 .*payment-required: /s);
  });
}
