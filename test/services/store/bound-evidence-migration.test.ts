import { fileURLToPath } from 'node:url';
import test from 'ava';
import { runner } from 'node-pg-migrate';
import pg from 'pg';
import { startPostgres } from '../../../scripts/launch/servers/postgres.ts';
import { createTestFolder } from '../../kit/test-folder.ts';

const MIGRATIONS = fileURLToPath(new URL('../../../services/store/migrations', import.meta.url));
const BEFORE = 6;
const QUIET = { info: () => {}, debug: () => {}, warn: () => {}, error: () => {} };

const id = (number: number) => `019aa5d4-7c00-7000-8000-${String(number).padStart(12, '0')}`;
const HASH = '0'.repeat(64);
const [TENANT, KEY, APPROVER, PLAN, EARLY, LATE, EXECUTION] = [1, 2, 3, 4, 5, 6, 7].map(id);

/** Records from before the migration: one act under two tool names, and a check before and after the approval. */
const RECORDS = `
  INSERT INTO verification.tenant VALUES ('${TENANT}', 'legacy', now());
  INSERT INTO verification.api_key (key_id, tenant_id, role, key_hash)
    VALUES ('${KEY}', '${TENANT}', 'agent', sha256('key'));
  INSERT INTO verification.plan (tenant_id, plan_id, document, plan_hash, lint, expires_at, created_by)
    VALUES ('${TENANT}', '${PLAN}', '{}', '${HASH}', '[]', 'infinity', '${KEY}');
  INSERT INTO verification.approval (tenant_id, plan_id, plan_hash, proposed_by, approved_by, approved_at)
    VALUES ('${TENANT}', '${PLAN}', '${HASH}', '${KEY}', '${APPROVER}', '2026-01-02Z');
  INSERT INTO verification.plan_check (tenant_id, check_id, plan_id, kind, mode, actions, intents_hash, result, verdict,
      created_by, checked_at)
    VALUES ('${TENANT}', '${EARLY}', '${PLAN}', 'plan_alignment', 'complete', '[]', '${HASH}', '{}', 'satisfied',
        '${KEY}', '2026-01-01Z'),
      ('${TENANT}', '${LATE}', '${PLAN}', 'constraints', 'complete', '[]', '${HASH}', '{}', 'satisfied',
        '${KEY}', '2026-01-03Z');
  INSERT INTO verification.execution (tenant_id, execution_id, plan_id, alignment_check_id, constraints_check_id,
      actions, execution_hash, created_by, state)
    VALUES ('${TENANT}', '${EXECUTION}', '${PLAN}', '${EARLY}', '${LATE}', '[]', '${HASH}', '${KEY}', 'recorded');
  INSERT INTO verification.action VALUES
    ('${TENANT}', '${id(11)}', '${EXECUTION}', 0, 'pay.refund', 'r1'),
    ('${TENANT}', '${id(12)}', '${EXECUTION}', 1, '.Pay_Refund-', 'r1'),
    ('${TENANT}', '${id(13)}', '${EXECUTION}', 2, 'Order-1.get', NULL),
    ('${TENANT}', '${id(14)}', '${EXECUTION}', 3, 'Order-1.get', NULL);`;

test('the migration keeps records if row-level security binds the owner', async (t) => {
  const folder = createTestFolder();
  t.teardown(folder.remove);
  const server = await startPostgres(folder.place('postgres'));
  const connect = async (user?: string, database?: string) => {
    const url = new URL(server.url);
    if (user !== undefined) url.username = user;
    if (database !== undefined) url.pathname = database;
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    return client;
  };
  const superuser = await connect();
  await superuser.query('CREATE ROLE legacy_owner LOGIN CREATEROLE');
  await superuser.query('CREATE DATABASE legacy OWNER legacy_owner');
  await superuser.end();
  const [owner, records] = [await connect('legacy_owner', 'legacy'), await connect(undefined, 'legacy')];
  const common = { dbClient: owner, dir: MIGRATIONS, migrationsTable: 'schema_migration', logger: QUIET };
  await runner({ ...common, direction: 'up', count: BEFORE });
  await records.query(RECORDS);
  await runner({ ...common, direction: 'up', count: 1 });
  const read = async (query: string) => (await records.query({ text: query, rowMode: 'array' })).rows;
  t.deepEqual(await read('SELECT tool_folded FROM verification.action ORDER BY seq'), [
    ['payrefund'],
    [null],
    ['orderlget'],
    ['orderlget'],
  ]);
  t.deepEqual(await read('SELECT owner, is_preview FROM verification.plan_check ORDER BY check_id'), [
    [KEY, true],
    [KEY, false],
  ]);
  t.deepEqual(await read('SELECT owner FROM verification.execution'), [[KEY]]);
  t.deepEqual(await read('SELECT key_group FROM verification.api_key'), [[KEY]]);
  t.deepEqual(await read("SELECT key_group FROM verification.authenticate(sha256('key'))"), [[KEY]]);
  const forced = `SELECT relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname = 'verification' AND relrowsecurity AND NOT relforcerowsecurity`;
  t.deepEqual(await read(forced), []);
  await Promise.all([owner.end(), records.end()]);
  await server.stop();
});
