import { type Selectable, sql } from 'kysely';
import { createBodyCipher } from '../../../../services/backoffice/retention/body-cipher.ts';
import {
  RetentionKeyConfig,
  readExistingRetentionKeys,
} from '../../../../services/backoffice/retention/retention-keys.ts';
import { readCall } from '../../../../services/backoffice/retention/sealed-bodies.ts';
import { GRANT_MICRO_USD } from '../../../../services/ledger/contract/trial-terms.ts';
import type { LedgerAudit } from '../../../../services/ledger/store/audit.ts';
import { inspectLedger } from '../../../../services/ledger/store/inspection.ts';
import { openLedgerPool } from '../../../../services/ledger/store/ledger-pool.ts';
import { createTrialLedger } from '../../../../services/ledger/store/trial-ledger.ts';
import { readEnvironment } from '../../../../services/platform/process/environment.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { countUnclaimed } from '../../../../services/store/channel-figures.ts';
import { type Database, openDatabase } from '../../../../services/store/database.ts';
import { onlyRow } from '../../../../services/store/rows.ts';
import type { Tables } from '../../../../services/store/tables.ts';
import { SANDBOX_CHAIN_ID } from '../../../launch/servers/anvil.ts';
import type { Product } from '../run/product.ts';

export const NETWORK = `eip155:${SANDBOX_CHAIN_ID}`;
const TERMS = { grantMicroUsd: GRANT_MICRO_USD, dailyBudgetMicroUsd: 0n, grantsPerScope: 0, failuresPerHour: 0 };

export interface Obligation {
  readonly recordId: string;
  readonly attempts: number;
}

export interface RetainedRow {
  readonly recordId: string;
  readonly access: string;
}

/** A reservation of a trial. Who had reserved what is not kept after a void. */
export interface Reservation {
  readonly id: string;
  readonly nonce: string;
  readonly fate: 'pending' | 'posted' | 'voided';
  readonly wallet: string | undefined;
  readonly amount: bigint | undefined;
}

/** The data of the product in PostgreSQL, read directly. */
export interface Stores {
  audit(): Promise<LedgerAudit>;
  balance(wallet: string): Promise<bigint>;
  reservations(): Promise<readonly Reservation[]>;
  obligations(): Promise<readonly Obligation[]>;
  /** Makes all obligations and reservations due now. They are due later because their gateway may still resolve them. */
  hasten(): Promise<void>;
  claims(): Promise<readonly Selectable<Tables['ledger.payment_claim']>[]>;
  /** The number of channels of which something can be claimed. */
  unclaimed(): Promise<number>;
  /** What was charged, and in how many calls; 0 for a channel that is not known. */
  channel(channelId: string): Promise<{ readonly charged: bigint; readonly calls: number }>;
  retained(): Promise<readonly RetainedRow[]>;
  /** The retained answer as text. Undefined if no answer was retained. */
  retainedAnswer(recordId: string): Promise<string | undefined>;
  close(): Promise<void>;
}

export async function openStores({ databaseUrl }: Product, dataDir: string): Promise<Stores> {
  const logger = createLogger({ name: 'soak', level: 'silent' });
  const database: Database = openDatabase({ url: databaseUrl, connections: 4, logger });
  const pool = openLedgerPool({ url: databaseUrl, connections: 2, statementTimeoutMs: 30_000, onError: () => {} });
  const ledger = createTrialLedger({ pool, network: NETWORK, terms: TERMS, monotonicMs: () => performance.now() });
  const keys = readExistingRetentionKeys(readEnvironment(RetentionKeyConfig, { TOLLHOUSE_DATA: dataDir }));
  const cipher = createBodyCipher(keys);
  return {
    audit: () => ledger.audit(),
    balance: async (wallet) =>
      (await inspectLedger({ pool, network: NETWORK }).wallet(wallet))?.balanceMicroUsd ?? TERMS.grantMicroUsd,
    async reservations() {
      const { rows } = await sql<Reservation>`
        SELECT n.reservation_id AS id, n.nonce, coalesce(e.account, r.account) AS wallet,
          coalesce(e.amount, r.amount) AS amount,
          CASE WHEN e.id IS NOT NULL THEN 'posted' WHEN r.id IS NOT NULL THEN 'pending' ELSE 'voided' END AS fate
        FROM ledger.nonce n LEFT JOIN ledger.entry e ON e.id = n.reservation_id
          LEFT JOIN ledger.reservation r ON r.id = n.reservation_id
        WHERE n.network = ${NETWORK} AND n.outcome = 'reserved'`.execute(database);
      return rows.map((row) => ({ ...row, wallet: row.wallet ?? undefined, amount: row.amount ?? undefined }));
    },
    async obligations() {
      const rows = await database
        .selectFrom('ledger.payment_claim')
        .select(['claim_id', 'tries'])
        .where('due_at', 'is not', null)
        .execute();
      return rows.map(({ claim_id: recordId, tries: attempts }) => ({ recordId, attempts }));
    },
    async hasten() {
      await sql`UPDATE ledger.payment_claim SET due_at = clock_timestamp() WHERE due_at > clock_timestamp()`.execute(
        database,
      );
      await sql`UPDATE ledger.reservation SET deadline = clock_timestamp() - interval '1 hour'`.execute(database);
    },
    claims: () => database.selectFrom('ledger.payment_claim').selectAll().where('state', '<>', 'executing').execute(),
    unclaimed: () => countUnclaimed(database, NETWORK),
    async channel(channelId) {
      const { rows } = await sql<{ charged: bigint; calls: number }>`
        SELECT coalesce(sum(amount), 0)::bigint AS charged, count(*)::integer AS calls
        FROM ledger.entry WHERE network = ${NETWORK} AND account = ${channelId}`.execute(database);
      return onlyRow(rows);
    },
    async retained() {
      const rows = await database.selectFrom('retained_body').select(['record_id', 'access']).execute();
      return rows.map(({ record_id: recordId, access }) => ({ recordId, access }));
    },
    retainedAnswer: async (recordId) => (await readCall({ database, cipher }, recordId))?.responseBody.toString('utf8'),
    async close() {
      await pool.end();
      await database.destroy();
    },
  };
}
