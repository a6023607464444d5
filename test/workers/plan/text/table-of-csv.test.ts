import test from 'ava';
import { tableOfCsv } from '../../../../workers/plan/text/plan/table-of-csv.ts';

const COLUMNS = '{ invoice: string(8), amount: decimal(2), due: time, open: bool }';
const HEADER = 'invoice,amount,due,open';

const rowsOf = (csv: string, columns = COLUMNS) =>
  tableOfCsv(csv, columns).rows?.map((row): unknown => JSON.parse(row));
const faultsOf = (csv: string, columns = COLUMNS) =>
  tableOfCsv(csv, columns).faults?.map(({ line, message }) => `${line}: ${message}`);

test('a CSV file becomes rows with the types of the plan, in the order of the types', (t) => {
  const csv = `\uFEFFnote,due,open,amount,invoice\r\n"a, ""b""\r\nc",2026-12-01T09:00:00+01:00,true,80,A 1\r\n\r\n,2026-12-01T08:00:00Z,false,-0.5,"B""2"\r\n`;
  t.deepEqual(tableOfCsv(csv, COLUMNS).rows, [
    '{"invoice":"A 1","amount":"80.00","due":"2026-12-01T08:00:00.000000Z","open":true}',
    '{"invoice":"B\\"2","amount":"-0.50","due":"2026-12-01T08:00:00.000000Z","open":false}',
  ]);
});

test('a file with a header alone is a table without rows', (t) => {
  t.deepEqual(rowsOf(`${HEADER}\n`), []);
});

test('semicolons and tabs separate values if the first line has no comma', (t) => {
  const columns = '{ amount: decimal(2), payee: string }';
  t.deepEqual(rowsOf('payee;amount\r\n"Bo; & Co";1.5\r\nA, B;2\r\n', columns), [
    { amount: '1.50', payee: 'Bo; & Co' },
    { amount: '2.00', payee: 'A, B' },
  ]);
  t.deepEqual(rowsOf('payee\tamount\nA;B\t2\n', columns), [{ amount: '2.00', payee: 'A;B' }]);
  t.deepEqual(faultsOf('payee;amount\nA;1,50\n', columns), ['2: amount: "1,50" is not a number: write 1.50']);
  // 1500 or 1.50: only the author knows.
  t.regex(faultsOf('payee;amount\nA;1,500\n', columns)?.join() ?? '', /^2: amount: .* without exponent, separators/);
});

test('a value that is not of its type is named with its line and column, at most five', (t) => {
  const bad = (row: string) => faultsOf(`${HEADER}\n${row}\n`)?.join('; ');
  t.regex(
    bad('A1,"1.200,00",2026-12-01T08:00:00Z,true') ?? '',
    /^2: amount: "1\.200,00" is not a number: write 1200\.00$/,
  );
  t.regex(bad('A1,1.005,2026-12-01T08:00:00Z,true') ?? '', /^2: amount: /);
  t.regex(bad('A1,1,01.12.2026,true') ?? '', /^2: due: "01\.12\.2026" is not a time/);
  t.regex(bad('A1,1,2026-12-01T08:00:00Z,yes') ?? '', /^2: open: "yes" is not a bool/);
  t.is(bad('A1,1,2026-12-01T08:00:00Z'), '2: 3 values, and the first line has 4');
  t.is(faultsOf(`${HEADER}\n${'A1,x,y,z\n'.repeat(9)}`)?.length, 5);
  t.regex(faultsOf(`${HEADER}\n"A\n1",x,2026-12-01T08:00:00Z,true`)?.join() ?? '', /^3: amount/);
});

test('a header that lacks a column, or has it twice, is named with those that there are', (t) => {
  t.deepEqual(faultsOf('invoice, amount\nA1,2\n', '{ amount: int }'), [
    '1: the first line has no amount. Did you mean " amount"?',
  ]);
  t.deepEqual(faultsOf('a,a\n1,2\n', '{ a: int }'), ['1: a is twice in the first line']);
  t.regex(faultsOf('', '{ a: int }')?.join() ?? '', /^1: the first line has no a\./);
});

test('malformed CSV, an unknown type and too many rows are refused', (t) => {
  t.regex(faultsOf(`${HEADER}\n"A1,1\n`)?.join() ?? '', /quote/i);
  t.regex(faultsOf(HEADER, '{ amount: money }')?.join() ?? '', /^undefined: .*money/);
  t.regex(faultsOf(`a\n${'1\n'.repeat(100_001)}`, '{ a: int }')?.join() ?? '', /100001 rows/);
});
