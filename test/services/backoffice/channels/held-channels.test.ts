import test, { type ExecutionContext } from 'ava';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Hex } from 'viem';
import { createVouchers } from '../../../../services/backoffice/channels/vouchers.ts';
import { createTransactionRecords } from '../../../../services/payments/channels/transaction-records.ts';
import type { Database } from '../../../../services/store/database.ts';
import type { Tables } from '../../../../services/store/tables.ts';
import { createNonce } from '../../../kit/chain.ts';
import { newChannel, newCharge } from '../../ledger/channel-fixture.ts';
import { createLedgerDatabase, newAnswer, newTrial, openTrialLedger } from '../../ledger/store/store-fixture.ts';
import { chargeCall, PRICE } from './channel-stores.ts';

const stores = await createLedgerDatabase();
test.after.always(() => stores.stop());

/** A database whose process stops after a number of statements, and keeps its connection. */
function openStopping(t: ExecutionContext, statements: number) {
  const pool = new pg.Pool({ connectionString: stores.url });
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  let sent = 0;
  const connect = async () => {
    const client = await pool.connect();
    t.teardown(() => {
      client.release(true);
    });
    const query = (text: string, values: readonly unknown[]) => {
      sent += 1;
      if (sent <= statements) return client.query(text, [...values]);
      resolve();
      return new Promise<never>(() => {});
    };
    return { query, release() {} };
  };
  const dialect = new PostgresDialect({ pool: { connect, end: () => pool.end() } as unknown as pg.Pool });
  const database: Database = new Kysely<Tables>({ dialect });
  return { database, stopped };
}

const works = {
  'notes what was claimed': {
    statements: 2,
    run: (database: Database, network: string, id: string) =>
      createVouchers({ database, network }).noteClaimed([id], new Date()),
  },
  'notes what is public': {
    statements: 2,
    run: (database: Database, network: string, id: string) =>
      createTransactionRecords(database, network).sign(
        { id: 'claim:1', kind: 'claim', request: '[]', fromBlock: 1n },
        {
          hash: createNonce(),
          signer: `0x${'1'.repeat(40)}`,
          signed: { nonce: 1, serialized: '0x1' },
          vouchers: [{ channelId: id as Hex, maxClaimableAmount: 1n }],
        },
      ),
  },
};

for (const [what, { statements, run }] of Object.entries(works)) {
  test.serial(`calls are charged while a process that ${what} has stopped`, async (t) => {
    const ledger = openTrialLedger(t, stores);
    const [channelId, trial] = [newChannel(), newTrial()];
    const call = newCharge({ channelId, cumulativeMicroUsd: 2n * PRICE });
    await ledger.show(channelId, { balanceMicroUsd: 100n * PRICE });
    await chargeCall(ledger, channelId);
    await ledger.charge(call);
    await ledger.reserve(trial);
    const { database, stopped } = openStopping(t, statements);
    await Promise.race([stopped, run(database, ledger.network, channelId)]);
    // The first post has a batch of its own.
    const posted = await Promise.all([newTrial(), trial, call].map((item) => ledger.post(newAnswer(item))));
    t.deepEqual(
      posted.map(({ state }) => state),
      ['unknown', 'posted', 'posted'],
    );
    t.is((await ledger.charge(newCharge({ channelId, cumulativeMicroUsd: 3n * PRICE }))).state, 'reserved');
  });
}
