import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { geocode } from '../../../../gateway/operations/geocode/operation.ts';
import { renderConsole } from '../../../../gateway/pages/documents/console.ts';
import { describeOperation } from '../../../../gateway/pages/documents/operation-page.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const pageOf = (retentionDays: number) =>
  describeOperation(geocode, { origin: 'https://api.example.com', dailyBudgetMicroUsd: 0n, retentionDays });

test('the page of an operation says after how many days bodies are deleted', (t) => {
  t.true(pageOf(7).includes('deleted asynchronously after 7 days.'));
  t.true(pageOf(1).includes('deleted asynchronously after 1 day.'));
});

test('no text of the gateway or its documents promises a number of days for bodies', (t) => {
  const files = globSync(['gateway/**/*.ts', 'docs/**/*.md', '*.md'], { cwd: ROOT });
  const promises = files.filter((file) => /deleted[^.|]*after \d+ days/.test(readFileSync(`${ROOT}${file}`, 'utf8')));
  t.deepEqual(promises, []);
});

test('the page of an operation says what to do after a paid call, and that a trial stops', (t) => {
  const row = pageOf(30)
    .split('\n')
    .find((line) => line.startsWith('| 503 |'));
  t.regex(String(row), /same payment/);
  t.true(pageOf(30).includes('A trial stops at every error: neither send the proof again nor pay automatically.'));
});

test('a console has play money in the sandbox alone, and says where and in which token a call is paid', (t) => {
  const terms = { network: 'eip155:8453', asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' };
  const assets = { client: '', script: '', stylesheet: '', outlines: '', terms };
  const [real, sandbox] = [false, true].map((isSandbox) => renderConsole(geocode, { ...assets, isSandbox }).text);
  t.regex(String(real), /data-price="14000" data-network="eip155:8453" data-network-name="Base" data-asset="0x833589/);
  t.deepEqual([real?.includes('play money'), sandbox?.includes('play money')], [false, true]);
});
