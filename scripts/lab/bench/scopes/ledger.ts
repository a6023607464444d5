import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { createPartitions } from '../../../../services/backoffice/retention/partitions.ts';
import { openLedgerPool } from '../../../../services/ledger/store/ledger-pool.ts';
import { makePartitions } from '../../../../services/ledger/store/partitions.ts';
import { createTrialLedger } from '../../../../services/ledger/store/trial-ledger.ts';
import { createTestDatabase } from '../../../../test/kit/test-database.ts';
import { keepInFlight } from '../measure/compare.ts';
import type { Scope } from '../measure/scope.ts';

/** Calls in flight, and calls a second that the ledger alone must reach. */
const TARGETS = [
  [1, 647],
  [64, 4404],
  [256, 6533],
] as const;
const CONNECTIONS = 8;
const TIMEOUT_MS = 60_000;
/** A snapshot keeps old versions of rows, as a backup or a report does. */
const SNAPSHOT_MS = 300_000;
/** Of the request and of the response, sealed. */
const BODY_BYTES = 2048;

/**
 * Reserves and posts trials with answers of 4 KB, each of a new wallet, without gRPC and encryption, and compares them with
 * durable commits of the answers alone, one for each call. During the first five minutes a snapshot is open.
 */
export const ledger: Scope = async () => {
  const test = await createTestDatabase();
  const pool = openLedgerPool({
    url: test.url,
    connections: CONNECTIONS,
    statementTimeoutMs: TIMEOUT_MS,
    onError: () => {},
  });
  await makePartitions(pool);
  await createPartitions(test.database, Date.now());
  await pool.query('CREATE TABLE bare_answer (id uuid PRIMARY KEY, request bytea, response bytea)');
  const snapshot = new pg.Client({ connectionString: test.url });
  await snapshot.connect();
  await snapshot.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM ledger.wallet');
  setTimeout(() => void snapshot.end(), SNAPSHOT_MS).unref();
  const terms = { grantMicroUsd: 50_000n, dailyBudgetMicroUsd: 2n ** 50n, grantsPerScope: 0, failuresPerHour: 5 };
  const ours = createTrialLedger({ pool, network: 'eip155:31337', terms, monotonicMs: () => performance.now() });
  const body = Buffer.alloc(BODY_BYTES, 1);
  let calls = 0;

  async function charge(): Promise<void> {
    const reservationId = uuidv7();
    calls += 1;
    const atMs = Date.now();
    const { state } = await ours.reserve({
      reservationId,
      wallet: `0x${calls.toString(16).padStart(40, '0')}`,
      nonce: calls.toString(16).padStart(32, '0'),
      expirationTimeMs: atMs + 300_000,
      deadlineMs: atMs + 30_000,
      operation: 'html-to-markdown',
      amountMicroUsd: 3000n,
      lockLeftMs: TIMEOUT_MS,
    });
    if (state !== 'reserved') throw new Error(`the ledger did not reserve: ${state}`);
    const answer = { reservationId, requestId: uuidv7(), keyId: 'k1', request: body, response: body };
    const posted = await ours.post(answer);
    if (posted.state !== 'posted') throw new Error(`the ledger did not post: ${posted.state}`);
  }
  const commit = async () => {
    await pool.query('INSERT INTO bare_answer VALUES ($1, $2, $2)', [uuidv7(), body]);
  };

  return {
    comparisons: TARGETS.map(([inFlight, targetPerSecond]) => ({
      title: `reserve + post with an answer of 4 KB, ${inFlight} in flight`,
      ours: { name: 'ledger', run: keepInFlight(inFlight, charge) },
      reference: { name: 'a commit of the answer alone', run: keepInFlight(inFlight, commit) },
      targetPerSecond,
    })),
    async stop() {
      await snapshot.end();
      await pool.end();
      await test.stop();
    },
  };
};
