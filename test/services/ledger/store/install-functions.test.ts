import test from 'ava';
import { FUNCTIONS_SCHEMA, installFunctions } from '../../../../services/ledger/store/install-functions.ts';
import { connected } from '../../../helpers/owned-database.ts';
import { createTestDatabase } from '../../../helpers/test-database.ts';
import { installLedger } from './store-fixture.ts';

test('functions are installed once by processes that start together, and only their owner may call them', async (t) => {
  const database = await createTestDatabase();
  t.teardown(() => database.stop());
  await installLedger(database.url);
  await connected(database.url, (client) => client.query(`DROP SCHEMA ${FUNCTIONS_SCHEMA} CASCADE`));
  await Promise.all(Array.from({ length: 4 }, () => connected(database.url, installFunctions)));
  await connected(database.url, async (client) => {
    const { rows } = await client.query(
      `SELECT count(*) FILTER (WHERE has_function_privilege('tollhouse_verification', oid, 'EXECUTE')) AS open, count(*) > 10
        AS are_there FROM pg_proc WHERE pronamespace IN ($1::regnamespace, 'ledger'::regnamespace)`,
      [FUNCTIONS_SCHEMA],
    );
    t.deepEqual(rows, [{ open: '0', are_there: true }]);
    const { rows: tables } = await client.query(
      "SELECT has_schema_privilege('tollhouse_verification', 'ledger', 'USAGE') AS open",
    );
    t.deepEqual(tables, [{ open: false }]);
  });
});
