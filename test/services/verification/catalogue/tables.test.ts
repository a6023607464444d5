import test from 'ava';
import { sql } from 'kysely';
import { readTable } from '../../../../services/verification/catalogue/read-table.ts';
import { digestBytes } from '../../../../services/verification/proof/digests.ts';
import { inTenant } from '../../../../services/verification/tenants/transaction.ts';
import { MAX_TABLE_BYTES, MAX_TABLE_ROWS } from '../../../../workers/exact/plan-schema.ts';
import { useVerificationProcess } from '../verification-process.ts';
import { createCatalogueSteps } from './catalogue-steps.ts';

const verification = await useVerificationProcess();
const steps = createCatalogueSteps(verification.service);
const mine = await verification.addTenant('mine');
const other = await verification.addTenant('other');
test.after.always(() => verification.stop());

const ROWS = '{"sku":"a","price":"1.00"}\n{"price":"2.00","sku":"b"}\n';

test('a table has the hash of its bytes, and is read as it was uploaded', async (t) => {
  const table = await steps.upload(mine.agent, ROWS);
  t.like(table, { sha256: digestBytes(Buffer.from(ROWS)), rows: 2, size: ROWS.length });
  t.deepEqual(table.columns, ['price', 'sku']);
  t.is(await steps.download(mine.reader, table.sha256), ROWS);
  t.deepEqual(await steps.upload(mine.approver, ROWS), table);
});

test('a table belongs to its tenant, and a reader stores none', async (t) => {
  const { sha256 } = await steps.upload(mine.agent, '{"a":"mine"}');
  await t.throwsAsync(steps.download(other.agent, sha256), { code: 'NOT_FOUND' });
  await t.throwsAsync(steps.download(mine.agent, 'x'), { code: 'NOT_FOUND' });
  await t.throwsAsync(steps.upload(mine.reader, ROWS), { code: 'ROLE_NOT_ALLOWED' });
});

for (const [what, text, line] of [
  ['other columns', '{"a":"1"}\n{"b":"1"}', 2],
  ['a column more', '{"a":"1"}\n{"a":"1","b":"1"}', 2],
  ['an empty line', '{"a":"1"}\n\n{"a":"2"}', 2],
  ['an array', '["a"]', 1],
  ['a row without columns', '{}', 1],
  ['a nested value', '{"a":{"b":"1"}}', 1],
  ['a null', '{"a":null}', 1],
  ['a fraction', '{"a":1.5}', 1],
  ['a number that no double holds', '{"a":9007199254740993}', 1],
  ['a repeated column', '{"a":"1","a":"2"}', 1],
  ['a NUL', '{"a":"\\u0000"}', 1],
  ['a lone surrogate', '{"a":"\\ud800"}', 1],
  ['a column with a space', '{"a b":"1"}', 1],
  ['a byte order mark', '\ufeff{"a":"1"}', 1],
  ['two rows in a line', '{"a":"1"}{"a":"2"}', 1],
] as const) {
  test(`a table with ${what} is refused, with its line`, async (t) => {
    const error = await t.throwsAsync(steps.upload(mine.agent, text), { code: 'MALFORMED_INPUT' });
    t.true(error.message.startsWith(`the table in line ${line} `), error.message);
  });
}

test('text that is not UTF-8 is refused', async (t) => {
  await t.throwsAsync(steps.upload(mine.agent, Buffer.from([0x7b, 0xff])), { code: 'MALFORMED_INPUT' });
});

test('a table has at most as many rows and bytes as plans allow', async (t) => {
  const rows = (count: number) => Buffer.from('{"a":1}\n'.repeat(count));
  t.like(await readTable(rows(MAX_TABLE_ROWS)), { rows: MAX_TABLE_ROWS });
  await t.throwsAsync(readTable(rows(MAX_TABLE_ROWS + 1)), { message: /more than 100000 rows/ });
  await t.throwsAsync(readTable(Buffer.alloc(MAX_TABLE_BYTES + 1)), { message: /larger than/ });
  t.deepEqual(await readTable(Buffer.alloc(0)), { rows: 0, columns: [] });
});

test('the tables of a tenant have a quota, of other tenants not', async (t) => {
  const full = await verification.addTenant('full');
  await verification.withDatabase('service', (database) =>
    inTenant(database, full.tenantId, (transaction) =>
      sql`INSERT INTO verification.plan_table (tenant_id, sha256, rows, content, created_by)
        SELECT ${full.tenantId}::uuid, lpad(to_hex(number), 64, '0'), 0, '', ${full.agent.keyId}::uuid
        FROM generate_series(1, 999) AS number`.execute(transaction),
    ),
  );
  const uploads = Array.from({ length: 5 }, (_, index) => steps.upload(full.agent, `{"a":${index}}`));
  const sent = await Promise.allSettled(uploads);
  t.is(sent.filter(({ status }) => status === 'fulfilled').length, 1);
  await t.throwsAsync(steps.upload(full.agent, '{"b":1}'), { code: 'TOO_MANY_TABLES' });
  await t.notThrowsAsync(steps.upload(mine.agent, '{"b":1}'));
});

test('the bytes of a tenant have a quota', async (t) => {
  const full = await verification.addTenant('heavy');
  const { agent: caller, tenantId } = full;
  await verification.withDatabase('service', async (database) => {
    // One statement for each table: the quota is more than a busy disk takes within the time of one statement.
    for (let number = 1; number <= 16; number += 1) {
      await inTenant(database, tenantId, (transaction) =>
        sql`INSERT INTO verification.plan_table (tenant_id, sha256, rows, content, created_by)
          VALUES (${tenantId}::uuid, lpad(to_hex(${number}::int), 64, '0'), 0, convert_to(repeat('x', 16777216), 'UTF8'),
            ${caller.keyId}::uuid)`.execute(transaction),
      );
    }
  });
  await t.throwsAsync(steps.upload(caller, '{"a":1}'), { code: 'TOO_MANY_TABLES', message: /bytes together/ });
});
