import type { ExecutionContext } from 'ava';
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { createPartitions } from '../../../../services/backoffice/retention/partitions.ts';
import { type ChannelLedger, createChannelLedger } from '../../../../services/ledger/store/charge.ts';
import { inspectLedger } from '../../../../services/ledger/store/inspection.ts';
import { openLedgerPool } from '../../../../services/ledger/store/ledger-pool.ts';
import { makePartitions } from '../../../../services/ledger/store/partitions.ts';
import type { SealedAnswer } from '../../../../services/ledger/store/post.ts';
import { createTrialLedger, type TrialLedger } from '../../../../services/ledger/store/trial-ledger.ts';
import type { TrialTerms } from '../../../../services/ledger/store/trial-options.ts';
import { createVoucherCipher } from '../../../../services/ledger/store/voucher-cipher.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { openDatabase } from '../../../../services/store/database.ts';
import { LEDGER_FUNCTIONS } from '../../../../services/store/ledger-functions.ts';
import { connected } from '../../../kit/owned-database.ts';
import { startTestPostgres } from '../../../kit/servers.ts';
import { createTestDatabase, type TestDatabase } from '../../../kit/test-database.ts';
import { until } from '../../../kit/until.ts';
import { newNetwork, newReservation } from '../fixture.ts';

/** Only a hang takes so long. */
const TIMEOUT_MS = 60_000;

/** Each ledger may have a clock of its own: its connections have its name. */
const TEST_CLOCK = `
  CREATE TABLE ledger.test_clock (name text PRIMARY KEY, at timestamptz NOT NULL);
  CREATE OR REPLACE FUNCTION ledger.clock() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
    SELECT coalesce((SELECT c.at FROM ledger.test_clock c WHERE c.name = current_setting('application_name')),
      clock_timestamp())
  $$`;

const SHOW = `
  INSERT INTO channel (channel_id, network, payer, payer_authorizer, receiver, receiver_authorizer, token, withdraw_delay_s,
    salt, first_block, block_number, balance, total_claimed, withdraw_amount, withdraw_requested_at_s, refund_nonce)
  VALUES ($1, $2, '', '', '', '', '', 900, '', 1, 1, $3, $4, $5, $6, $7)
  ON CONFLICT (channel_id) DO UPDATE SET balance = excluded.balance, total_claimed = excluded.total_claimed,
    withdraw_amount = excluded.withdraw_amount, withdraw_requested_at_s = excluded.withdraw_requested_at_s,
    refund_nonce = excluded.refund_nonce`;

export const TERMS: TrialTerms = {
  grantMicroUsd: 50_000n,
  dailyBudgetMicroUsd: 5_000_000n,
  grantsPerScope: 0,
  failuresPerHour: 5,
};

/** Creates a database whose ledger has clocks of tests. */
export async function createLedgerDatabase(): Promise<TestDatabase> {
  const test = await createTestDatabase();
  await prepareLedger(test.url);
  await createPartitions(test.database, Date.now());
  return test;
}

/** Gives the ledger of a database clocks of tests, and partitions. */
export async function prepareLedger(url: string): Promise<void> {
  await connected(url, (client) => client.query(TEST_CLOCK));
  const pool = openLedgerPool({ url, connections: 1, statementTimeoutMs: TIMEOUT_MS, onError: () => {} });
  await makePartitions(pool);
  await pool.end();
}

/** Starts a PostgreSQL server of its own, whose ledger has clocks of tests. */
export async function startLedgerServer(connections = 1) {
  const server = await startTestPostgres();
  const logger = createLogger({ name: 'test', level: 'silent' });
  const database = openDatabase({ url: server.url, connections, logger });
  await prepareLedger(server.url);
  await createPartitions(database, Date.now());
  return { server, database, of: { url: server.url, database } };
}

const cipher = createVoucherCipher([{ id: 'k1', secret: Buffer.alloc(32, 1) }]);

/** What a contract shows of a channel. */
export interface ShownChannel {
  readonly balanceMicroUsd: bigint;
  readonly claimedMicroUsd?: bigint;
  readonly withdrawMicroUsd?: bigint;
  readonly withdrawRequestedAtS?: bigint;
  readonly refundNonce?: bigint;
}

export interface OpenLedger extends TrialLedger, ChannelLedger {
  readonly network: string;
  readonly pool: pg.Pool;
  /** The wallet's credit. A wallet without an account has the grant that it would get. */
  balance(wallet: string): Promise<bigint>;
  /** Sets the clock of this ledger, and of others with its name, and makes the partitions of that time. */
  setClock(nowMs: number): Promise<void>;
  /** Stores what the contract shows, as the payments service does. */
  show(channelId: string, shown: ShownChannel): Promise<void>;
  /** For a test that breaks the books, or stops the database: its end does not audit this ledger. */
  notAudited(): void;
  query(text: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>;
}

export interface OpenOptions {
  readonly network?: string;
  readonly terms?: Partial<TrialTerms>;
  readonly connections?: number;
  readonly monotonicMs?: () => number;
}

/** Opens a ledger for a new network. The end of the test audits and closes it. Ledgers of one network have one clock. */
export function openTrialLedger(
  t: Pick<ExecutionContext, 'teardown'>,
  { url, database: bodies }: Pick<TestDatabase, 'url' | 'database'>,
  options: OpenOptions = {},
): OpenLedger {
  const { network = newNetwork(), terms, connections = 4, monotonicMs = () => performance.now() } = options;
  const named = new URL(url);
  named.searchParams.set('application_name', network);
  const pool = openLedgerPool({ url: named.href, connections, statementTimeoutMs: TIMEOUT_MS, onError: () => {} });
  const ledger = createTrialLedger({ pool, network, terms: { ...TERMS, ...terms }, monotonicMs });
  let isAudited = true;
  t.teardown(async () => {
    const violations = isAudited ? (await ledger.audit()).violations : [];
    await pool.end();
    if (violations.length > 0) throw new Error(`the ledger breaks invariants: ${JSON.stringify(violations)}`);
  });
  const query = async (text: string, values: readonly unknown[] = []) =>
    (await pool.query<Record<string, unknown>>(text, [...values])).rows;
  return {
    ...ledger,
    ...createChannelLedger({ pool, network, cipher }),
    network,
    pool,
    query,
    balance: async (wallet) =>
      (await inspectLedger({ pool, network }).wallet(wallet))?.balanceMicroUsd ?? { ...TERMS, ...terms }.grantMicroUsd,
    notAudited: () => {
      isAudited = false;
    },
    async show(channelId, { balanceMicroUsd, claimedMicroUsd = 0n, withdrawMicroUsd = null, ...shown }) {
      await query(SHOW, [
        channelId,
        network,
        balanceMicroUsd,
        claimedMicroUsd,
        withdrawMicroUsd,
        withdrawMicroUsd && (shown.withdrawRequestedAtS ?? 1n),
        shown.refundNonce ?? 0n,
      ]);
    },
    async setClock(nowMs) {
      await query('INSERT INTO ledger.test_clock VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET at = excluded.at', [
        network,
        new Date(nowMs),
      ]);
      // They give up while other tests use the tables.
      await until(() => makePartitions(pool).then(() => true));
      await until(() => createPartitions(bodies, nowMs).then(() => true));
    },
  };
}

/** Opens a ledger of a database of its own, for what is of a whole database: its epoch, its partitions and its sums. */
export async function openOwnLedger(t: Pick<ExecutionContext, 'teardown'>, options: OpenOptions = {}) {
  const database = await createLedgerDatabase();
  t.teardown(() => database.stop());
  return { database, ledger: openTrialLedger(t, database, options) };
}

/** A trial at a time, whose caller has the lock for long. */
export function newTrial(given: Parameters<typeof newReservation>[0] & { readonly nowMs?: number } = {}) {
  const { nowMs = Date.now(), ...fields } = given;
  return {
    ...newReservation({
      reservationId: uuidv7({ msecs: nowMs }),
      expirationTimeMs: nowMs + 300_000,
      deadlineMs: nowMs + 30_000,
      ...fields,
    }),
    lockLeftMs: 3_600_000,
  };
}

/** An answer for a trial. A test that reads no bodies needs no seal. */
export function newAnswer({ reservationId }: { readonly reservationId: string }, text = 'answer'): SealedAnswer {
  const [request, response] = [Buffer.from(`request of ${text}`), Buffer.from(`response of ${text}`)];
  return { reservationId, requestId: uuidv7(), keyId: 'k1', request, response };
}

/** The statement of a post, for a transaction that the test ends. */
export const callOfPost = (network: string, id: string): [string, unknown[]] => [
  `SELECT FROM ${LEDGER_FUNCTIONS}.post($1, $2, '')`,
  [network, JSON.stringify([{ id, key_id: 'k1', request_size: 0, response_size: 0 }])],
];
