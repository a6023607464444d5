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

const bad = (row: string) => `${HEADER}\n${row}\n`;
const AT = '2026-12-01T08:00:00Z';
/** Files, and their faults. */
const FAULTS: readonly (readonly [csv: string, fault: RegExp, columns?: string])[] = [
  [bad(`A1,"1.200,00",${AT},true`), /^2: amount: "1\.200,00" is not a number: write 1200\.00$/],
  [bad(`A1,1.005,${AT},true`), /^2: amount: /],
  [bad('A1,1,01.12.2026,true'), /^2: due: "01\.12\.2026" is not a time/],
  [bad(`A1,1,${AT},yes`), /^2: open: "yes" is not a bool/],
  [bad(`A1,1,${AT}`), /^2: 3 values, and the first line has 4$/],
  [bad(`"A\n1",x,${AT},true`), /^3: amount/],
  ['invoice, amount\nA1,2\n', /^1: the first line has no amount\. Did you mean " amount"\?$/, '{ amount: int }'],
  ['a,a\n1,2\n', /^1: a is twice in the first line$/, '{ a: int }'],
  ['', /^1: the first line has no a\./, '{ a: int }'],
  [`${HEADER}\n"A1,1\n`, /quote/i],
  [HEADER, /^undefined: .*money/, '{ amount: money }'],
  [`a\n${'1\n'.repeat(100_001)}`, /100001 rows/, '{ a: int }'],
];

test('a file that is malformed, too long or not of its types has its faults, at most five', (t) => {
  for (const [csv, fault, columns] of FAULTS) t.regex(faultsOf(csv, columns)?.join('; ') ?? '', fault);
  t.is(faultsOf(bad('A1,x,y,z\n'.repeat(9)))?.length, 5);
});
