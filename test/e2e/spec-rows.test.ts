import { readFileSync } from 'node:fs';
import test from 'ava';
import { operations } from '../../gateway/operations/index.ts';
import { TRIAL_STATUSES } from '../../services/ledger/contract/trial-terms.ts';
import { PUBLIC_CODES } from '../../services/platform/errors/code-lists.ts';
import { SPEC_ROWS, type SpecRow } from './spec-rows.ts';

const sources = new Map<string, string>();
function sourceOf(file: string): string {
  const source = sources.get(file) ?? readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
  sources.set(file, source);
  return source;
}

for (const { table, row, file, title } of SPEC_ROWS) {
  test(`${table} ${row} has its test`, (t) => {
    t.true(sourceOf(file).includes(title), `${file}: ${title}`);
  });
}

const rowsOf = (table: SpecRow['table']) => SPEC_ROWS.filter((one) => one.table === table).map(({ row }) => row);

test('every operation has a row', (t) => {
  t.deepEqual(rowsOf('operation').toSorted(), operations.map(({ name }) => name).toSorted());
});

test('every error code has a row', (t) => {
  t.deepEqual(rowsOf('error code').toSorted(), PUBLIC_CODES.toSorted());
});

test('every state of a trial has a row', (t) => {
  t.deepEqual(rowsOf('state').toSorted(), TRIAL_STATUSES.toSorted());
});
