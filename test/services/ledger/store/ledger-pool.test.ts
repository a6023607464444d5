import { Socket } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { LedgerUnavailableError } from '../../../../services/ledger/contract/ledger.ts';
import {
  explainFailure,
  isDeadlock,
  isDiskFull,
  isItemFault,
  isOtherDatabase,
} from '../../../../services/ledger/store/ledger-errors.ts';
import { callFunction, openLedgerPool, runStatement } from '../../../../services/ledger/store/ledger-pool.ts';
import {
  readBigint,
  readCredit,
  readDate,
  readItems,
  readOutcomes,
  readText,
} from '../../../../services/ledger/store/read-outcomes.ts';
import { createTestDatabase } from '../../../kit/test-database.ts';
import { throwsUnavailable } from '../fixture.ts';

const database = await createTestDatabase();
test.after.always(() => database.stop());

/** A pool of one connection. */
function open(t: ExecutionContext, url = database.url) {
  const pool = openLedgerPool({ url, connections: 1, statementTimeoutMs: 60_000, onError: () => {} });
  t.teardown(() => pool.end());
  return { pool, run: (text: string, values: readonly unknown[] = []) => runStatement(pool, text, values) };
}
const raise = (code: string, level = 'EXCEPTION') =>
  `DO $$ BEGIN RAISE ${level} 'as told' USING ERRCODE = '${code}'; END $$`;

const KINDS = { isItemFault, isDeadlock, isDiskFull, isOtherDatabase };
for (const [code, is, kind] of [
  ['0A000', 'refused', undefined],
  ['22003', 'refused', 'isItemFault'],
  ['23505', 'refused', 'isItemFault'],
  ['25006', 'refused', undefined],
  ['28000', 'refused', undefined],
  ['3D000', 'refused', undefined],
  ['3F000', 'refused', undefined],
  ['40001', 'refused', undefined],
  ['40P01', 'refused', 'isDeadlock'],
  ['42501', 'refused', undefined],
  ['40003', 'uncertain', undefined],
  ['42P01', 'refused', undefined],
  ['53100', 'refused', 'isDiskFull'],
  ['54000', 'refused', undefined],
  ['55P03', 'refused', 'isItemFault'],
  ['57014', 'refused', undefined],
  ['57P01', 'uncertain', undefined],
  ['57P02', 'uncertain', undefined],
  ['58030', 'uncertain', undefined],
  ['P0001', 'refused', undefined],
  ['LE001', 'refused', 'isOtherDatabase'],
  ['08006', 'uncertain', undefined],
  ['XX000', 'uncertain', undefined],
  ['E2200', 'uncertain', undefined],
] as const) {
  test(`a statement that fails with ${code} is ${is}, and its connection is ${is === 'refused' ? 'kept' : 'closed'}`, async (t) => {
    const { pool, run } = open(t);
    const error = await t.throwsAsync(run(raise(code)), { instanceOf: LedgerUnavailableError });
    t.is(error.code, is);
    if (is === 'refused') t.is(error.message, `the database refused (${code}): as told`);
    for (const [name, isKind] of Object.entries(KINDS)) {
      for (const each of [error, error.cause]) t.is(isKind(each), name === kind, name);
    }
    t.is(pool.totalCount, is === 'refused' ? 1 : 0);
  });
}

test('an error that the server did not send is uncertain, and what was explained stays', (t) => {
  for (const fields of [{}, { code: 'EPIPE' }, { code: '53100' }, { code: 53_100, severity: 'ERROR' }]) {
    const error = Object.assign(new Error('gone'), fields);
    t.is(explainFailure(error).code, 'uncertain');
    for (const is of Object.values(KINDS)) t.false(is(error));
  }
  t.regex(explainFailure('text').message, /text/);
  const known = new LedgerUnavailableError('not_ready', 'x');
  t.is(explainFailure(known), known);
});

test('a statement has its values, and gives its connection back', async (t) => {
  const { pool, run } = open(t);
  for (const n of [5n, 6n]) t.deepEqual(await run('SELECT $1::bigint AS n', [n]), [{ n }]);
  t.deepEqual([pool.totalCount, pool.idleCount], [1, 1]);
});

test('a statement whose connection ends is uncertain, and the next one has another', async (t) => {
  const { pool, run } = open(t);
  await throwsUnavailable(t, run('SELECT pg_terminate_backend(pg_backend_pid())'), 'uncertain');
  t.is(pool.totalCount, 0);
  t.deepEqual(await run('SELECT 1 AS n'), [{ n: 1 }]);
});

test('without a connection, a statement is refused', async (t) => {
  const url = new URL(database.url);
  url.pathname = '/absent';
  await throwsUnavailable(t, open(t, url.href).run('SELECT 1'), 'refused');
});

test('a connection that breaks before its plans are set has no statement: it is refused', async (t) => {
  const { pool, run } = open(t);
  pool.options.stream = () => {
    const socket = new Socket();
    const write = socket.write.bind(socket);
    const loses = (data: Buffer) => (data.includes('SET enable_seqscan') ? socket.destroy() : write(data));
    // To connect resets the function.
    return socket.once('connect', () => Object.assign(socket, { write: loses }));
  };
  await throwsUnavailable(t, run('SELECT 1'), 'refused');
  t.is(pool.totalCount, 0);
});

test('a commit that only this server has is uncertain, and other notices say nothing', async (t) => {
  const { pool, run } = open(t);
  t.deepEqual(await run(raise('00000', 'NOTICE')), []);
  t.is(pool.totalCount, 1);
  // As a server warns that stops waiting for its standby.
  const error = await t.throwsAsync(run(raise('01000', 'WARNING')), { instanceOf: LedgerUnavailableError });
  t.deepEqual([error.code, error.message, pool.totalCount], ['uncertain', 'as told', 0]);
  t.deepEqual(await run('SELECT 1 AS n'), [{ n: 1 }], 'the next statement had no warning');
});

test.serial('a server on an earlier timeline is not believed, and another server is', async (t) => {
  const { pool, run } = open(t);
  await run(`CREATE OR REPLACE FUNCTION ledger.identity() RETURNS text LANGUAGE sql STABLE AS
    $$ SELECT current_setting('test.identity') $$`);
  for (const [identity, isBelieved] of [
    ['7/A', true],
    ['7/A', true],
    ['7/9', false],
    ['7/10', true],
    ['7/F', false],
    ['8/1', true],
    ['8/2', true],
    ['8/1', false],
  ] as const) {
    await run(`SET test.identity = '${identity}'`);
    const called = callFunction(pool, 'status', []);
    if (isBelieved) t.is((await called)[0]?.['identity'], identity);
    else await throwsUnavailable(t, called, 'uncertain');
  }
});

test('rows answer their items in order, with states that are known', (t) => {
  const rows = [
    { n: 1n, outcome: 'one' },
    { n: 2n, outcome: 'two' },
  ];
  const items = ['a', 'b'];
  t.like(readItems(rows, items), [{ item: 'a' }, { item: 'b', row: { n: 2n } }]);
  t.like(readOutcomes(rows, items, ['one', 'two']), [{ state: 'one', item: 'a' }, { state: 'two' }]);
  t.throws(() => readItems(rows, ['a']), { instanceOf: TypeError, message: /2 outcomes for 1 items/ });
  t.throws(() => readItems([{ n: 2n }], ['a']), { message: /unexpected position 2/ });
  t.throws(() => readItems([{ n: 1 }], ['a']), { message: /unexpected position/ });
  t.throws(() => readOutcomes(rows, items, ['one']), { message: /unexpected outcome two/ });
});

test('values of rows have their types', (t) => {
  const at = new Date();
  t.deepEqual([readBigint(1n), readText('a'), readDate(at), readCredit({ credit: 5n })], [1n, 'a', at, 5n]);
  t.is(readCredit({ credit: null }), undefined);
  for (const read of [
    () => readBigint(1),
    () => readText(1),
    () => readDate('2026'),
    () => readDate(new Date(Number.NaN)),
    () => readCredit({ credit: 1 }),
  ]) {
    t.throws(read, { instanceOf: TypeError, message: /ledger answered no/ });
  }
});
