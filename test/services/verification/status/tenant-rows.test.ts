import test from 'ava';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { openDatabase } from '../../../../services/store/database.ts';
import { SERVICE_ROLE } from '../../../../services/store/preparation.ts';
import { readGuardedTable } from '../../../../services/verification/status/guarded-table.ts';
import { adminUrlOf, connected } from '../../../kit/owned-database.ts';
import { createTestDatabase } from '../../../kit/test-database.ts';

const { url, stop } = await createTestDatabase();
const logger = createLogger({ name: 'test', level: 'silent' });
const service = openDatabase({ url, connections: 1, logger, role: SERVICE_ROLE });
test.after.always(async () => {
  await service.destroy();
  await stop();
});

/** Puts a row into each table with rows of tenants, whatever the other columns mean, and names the tables. */
const FILL = `
  DO $$ DECLARE found record; BEGIN
    FOR found IN SELECT conrelid::regclass AS name, conname FROM pg_constraint
      WHERE connamespace = 'verification'::regnamespace AND contype IN ('c', 'f') AND conrelid <> 0 LOOP
      EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', found.name, found.conname);
    END LOOP;
    ALTER DOMAIN verification.sha256 DROP CONSTRAINT sha256_check;
    FOR found IN SELECT attrelid::regclass AS name, string_agg(quote_ident(attname), ', ') AS columns,
        string_agg(CASE format_type(coalesce(nullif(typbasetype, 0), atttypid), NULL)
          WHEN 'uuid' THEN 'gen_random_uuid()' WHEN 'text' THEN '''{}''' WHEN 'text[]' THEN '''{}''' WHEN 'jsonb' THEN '''{}'''
          WHEN 'bytea' THEN '''''' WHEN 'boolean' THEN 'true' WHEN 'timestamp with time zone' THEN 'now()' ELSE '1' END, ', ') AS given
      FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid JOIN pg_type ON pg_type.oid = atttypid
      WHERE relnamespace = 'verification'::regnamespace AND relkind = 'r' AND relrowsecurity AND attnum > 0
        AND attgenerated = '' GROUP BY attrelid LOOP
      EXECUTE format('INSERT INTO %s (%s) VALUES (%s)', found.name, found.columns, found.given);
    END LOOP;
  END $$;
  SELECT oid::regclass::text AS name FROM pg_class WHERE relnamespace = 'verification'::regnamespace AND relrowsecurity`;

test('a policy that shows a table to every tenant is noticed, in each table that the service reads', async (t) => {
  await connected(adminUrlOf(url), async (admin) => {
    const isBound = async () => (await readGuardedTable(service)).isTenantBound;
    const results: unknown = await admin.query(FILL);
    const names = (results as { rows: { name: string }[] }[]).flatMap(({ rows }) => rows.map(({ name }) => name));
    t.true(names.length > 20);
    t.true(await isBound());
    for (const name of names) {
      await admin.query(`CREATE POLICY open ON ${name} FOR SELECT USING (true)`);
      // The service only adds events.
      t.is(await isBound(), name === 'verification.webhook_event', name);
      await admin.query(`DROP POLICY open ON ${name}`);
    }
    t.true(await isBound());
  });
});
