import { globSync, readdirSync, readFileSync } from 'node:fs';
import test from 'ava';
import { Compile } from 'typebox/schema';
import { operations } from '../../../gateway/operations/index.ts';
import { ContentServiceService } from '../../../proto/gen/tollhouse/content/v1/content.ts';
import { MapsServiceService } from '../../../proto/gen/tollhouse/maps/v1/maps.ts';
import { defined } from '../../../workers/exact/defined.ts';

const ROOT = new URL('../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');
const foldersOf = (path: string) =>
  readdirSync(new URL(path, ROOT), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

test('every operation has its own folder, and there are no other folders except the shared one', (t) => {
  const folders = foldersOf('gateway/operations').filter((name) => name !== 'operation');
  t.deepEqual(operations.map(({ name }) => name).toSorted(), folders);
});

test('every example matches its schema', (t) => {
  for (const { name, validate, requestExample, response, responseExample } of operations) {
    t.is(validate(requestExample), undefined, name);
    t.deepEqual(Compile(response).Errors(responseExample)[1], [], name);
  }
});

test('every RPC of the public services belongs to one operation and has a streaming variant', (t) => {
  const methods = Object.keys({ ...ContentServiceService, ...MapsServiceService });
  const unary = methods.filter((name) => !name.endsWith('Stream'));
  t.deepEqual(
    methods.filter((name) => name.endsWith('Stream')).toSorted(),
    unary.map((name) => `${name}Stream`).toSorted(),
  );
  const calls = operations.map(({ name }) =>
    defined(/clients\.\w+\.(\w+)\(/.exec(read(`gateway/operations/${name}/operation.ts`))?.[1]),
  );
  t.deepEqual(calls.toSorted(), unary.toSorted());
});

test('every worker is run by one service', (t) => {
  const sources = globSync('services/*/**/*.ts', { cwd: ROOT }).map((path) => ({ path, text: read(path) }));
  const workers = globSync('workers/**/worker.ts', { cwd: ROOT });
  t.true(workers.length >= 2);
  for (const worker of workers) {
    const users = sources.filter(({ text }) => text.includes(`/${worker}'`) && text.includes('new URL('));
    t.is(new Set(users.map(({ path }) => path.split('/')[1])).size, 1, worker);
  }
});

test('the README lists every operation with its price, and docs/api.md with its path', (t) => {
  const readme = read('README.md');
  for (const { name, path, priceMicroUsd } of operations) {
    const row = defined(readme.split('\n').find((line) => line.startsWith(`| \`${name}\``)));
    t.true(row.endsWith(` | ${Number(priceMicroUsd) / 1_000_000} |`), name);
    t.true(read('docs/api.md').includes(`| \`${name}\` | \`${path}\` |`), name);
    t.true(readme.includes(`npm run try -- ${name} `), name);
  }
});
