import test from 'ava';
import { MAX_TABLE_BYTES, MAX_TABLE_ROWS } from '../../../../../workers/exact/plan-schema.ts';
import { tableOfCsv } from '../../../../../workers/plan/text/plan/table-of-csv.ts';
import { compileFile, FILE_FAULTS, line } from '../faults/file-cases.ts';

const faultsOf = (file: string, columns?: string) =>
  compileFile(file, columns).faults?.map(({ code, message }) => `${code} ${message}`);

test('the rows of a file are counted, with or without a line break at its end', (t) => {
  for (const [file, rows] of [
    ['', 0],
    [line(), 1],
    [`${line()}\n`, 1],
    [`${line()}\n${line({ id: 'B', n: 7, b: true })}\n`, 2],
  ] as const) {
    t.like(compileFile(file).plan?.tables['list'], { rows });
  }
});

test('a file has durations as the rows of a CSV file have them', (t) => {
  const [row] = tableOfCsv('id,took\nA,1h\n', 'id: string(8)\ntook: duration').rows ?? [];
  t.is(row, '{"id":"A","took":"3600000000"}');
  t.is(faultsOf(String(row), 'id: string(8), took: duration'), undefined);
});

test('a row that is not of its columns is named with its line', (t) => {
  for (const [file, fault] of FILE_FAULTS) {
    const faults = faultsOf(file);
    t.is(faults?.length, 1, file);
    t.regex(String(faults?.[0]), fault);
  }
});

test('five rows of a file are named, and no more', (t) => {
  t.is(faultsOf('x\n'.repeat(9))?.length, 5);
  t.is(faultsOf(`${line()}\n${'x\n'.repeat(4)}`)?.length, 4);
});

test('a file has a limited number of rows and bytes', (t) => {
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `{"id":"${index}"}\n`).join('');
  t.is(faultsOf(lines(MAX_TABLE_ROWS), 'id: string(8)'), undefined);
  t.deepEqual(faultsOf(lines(MAX_TABLE_ROWS + 1), 'id: string(8)'), [
    'MALFORMED_TABLE list.jsonl has 100001 rows, more than 100000',
  ]);
  const padded = (bytes: number) => `${' '.repeat(bytes - '{"id":"é"}'.length - 1)}{"id":"é"}`;
  t.is(faultsOf(padded(MAX_TABLE_BYTES), 'id: string(8)'), undefined);
  t.deepEqual(faultsOf(padded(MAX_TABLE_BYTES + 1), 'id: string(8)'), [
    'MALFORMED_TABLE list.jsonl has 16777217 bytes, more than 16777216',
  ]);
});
