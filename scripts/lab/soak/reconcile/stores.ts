import { sql } from 'kysely';
import { createBodyCipher } from '../../../../services/backoffice/retention/body-cipher.ts';
import { createRetention } from '../../../../services/backoffice/retention/retention.ts';
import { RetentionKeyConfig, readRetentionKeys } from '../../../../services/backoffice/retention/retention-keys.ts';
import type { AuditReport } from '../../../../services/ledger/contract/ledger.ts';
import { createRedisLedger } from '../../../../services/ledger/redis/redis-ledger.ts';
import { readEnvironment } from '../../../../services/platform/process/environment.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { createRedisClient } from '../../../../services/platform/redis/redis-client.ts';
import { type Database, openDatabase } from '../../../../services/store/database.ts';
import type { PaymentClaimTable } from '../../../../services/store/payment-tables.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { SANDBOX_CHAIN_ID } from '../../../launch/servers/anvil.ts';
import type { Product } from '../run/product.ts';

export const NETWORK = `eip155:${SANDBOX_CHAIN_ID}`;

export interface Obligation {
  readonly recordId: string;
  readonly access: string;
  readonly attempts: number;
}

export interface RetainedRow {
  readonly recordId: string;
  readonly access: string;
}

/** The data of the product in Redis and PostgreSQL, read directly. */
export interface Stores {
  audit(): Promise<AuditReport>;
  balance(wallet: string): Promise<bigint>;
  /** Entries of the ledger's journal, in order. */
  journal(): Promise<readonly string[]>;
  obligations(): Promise<readonly Obligation[]>;
  /** Makes all obligations due now. They are due later because their gateway may still resolve them. */
  hasten(): Promise<void>;
  claims(): Promise<readonly PaymentClaimTable[]>;
  retained(): Promise<readonly RetainedRow[]>;
  /** The retained answer as text. Undefined if no answer was retained. */
  retainedAnswer(recordId: string): Promise<string | undefined>;
  close(): Promise<void>;
}

export async function openStores({ redisUrl, databaseUrl }: Product, dataDir: string): Promise<Stores> {
  const logger = createLogger({ name: 'soak', level: 'silent' });
  const database: Database = openDatabase({ url: databaseUrl, connections: 4, logger });
  const redis = createRedisClient({ url: redisUrl });
  await redis.connect();
  const ledger = createRedisLedger({
    url: redisUrl,
    network: NETWORK,
    commandTimeoutMs: 10_000,
    answerWithinMs: 30_000,
  });
  await ledger.check();
  const keys = readRetentionKeys(readEnvironment(RetentionKeyConfig, { TOLLHOUSE_DATA: dataDir }));
  const retention = createRetention({ database, cipher: createBodyCipher(keys) });
  return {
    audit: () => ledger.audit(),
    balance: (wallet) => ledger.balance(wallet),
    async journal() {
      const entries = await redis.xRange(`tollhouse:{${NETWORK}}:journal`, '-', '+');
      if (entries === null) throw new Error('Redis did not return the journal');
      return entries.map(({ message }) => defined(message['entry']));
    },
    async obligations() {
      const rows = await database.selectFrom('obligation').select(['record_id', 'access', 'attempts']).execute();
      return rows.map(({ record_id: recordId, access, attempts }) => ({ recordId, access, attempts }));
    },
    async hasten() {
      await sql`UPDATE obligation SET due_at = clock_timestamp() WHERE due_at > clock_timestamp()`.execute(database);
    },
    claims: () => database.selectFrom('payment_claim').selectAll().execute(),
    async retained() {
      const rows = await database.selectFrom('retained_body').select(['record_id', 'access']).execute();
      return rows.map(({ record_id: recordId, access }) => ({ recordId, access }));
    },
    retainedAnswer: async (recordId) => (await retention.read(recordId))?.responseBody.toString('utf8'),
    async close() {
      await ledger.close();
      redis.destroy();
      await database.destroy();
    },
  };
}
