import { sql } from 'kysely';
import { SettlementOutcome } from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { createPartitions } from '../../../services/backoffice/retention/partitions.ts';
import { openLedgerPool } from '../../../services/ledger/store/ledger-pool.ts';
import { createKeep } from '../../../services/ledger/store/post.ts';
import { createLogger } from '../../../services/platform/process/logger.ts';
import { openDatabase } from '../../../services/store/database.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { until } from '../../kit/until.ts';

const BODY = Buffer.from('{}');
const { SETTLEMENT_OUTCOME_SETTLED, SETTLEMENT_OUTCOME_FAILED, SETTLEMENT_OUTCOME_PENDING } = SettlementOutcome;

/** Opens the store of answers, which a gateway uses between execution and settlement. */
export async function openKeptAnswers(databaseUrl: string, network: string) {
  const logger = createLogger({ name: 'test', level: 'silent' });
  const database = openDatabase({ url: databaseUrl, connections: 2, logger });
  const pool = openLedgerPool({ url: databaseUrl, connections: 2, statementTimeoutMs: 60_000, onError: () => {} });
  const keep = createKeep({ pool, network });
  await createPartitions(database, Date.now());
  const claimOf = (claimId: string) =>
    database.selectFrom('ledger.payment_claim').selectAll().where('claim_id', '=', claimId).executeTakeFirst();

  /** Waits until the service has taken the claim because it was due. */
  async function untilAsked(claimId: string): Promise<void> {
    const { rows } = await sql<{ tries: number }>`UPDATE ledger.payment_claim SET due_at = ledger.clock()
      WHERE claim_id = ${claimId} AND due_at IS NOT NULL RETURNING tries`.execute(database);
    const [due] = rows;
    if (due === undefined) return;
    await until(async () => {
      const claim = defined(await claimOf(claimId));
      return claim.due_at === null || claim.tries > due.tries;
    });
  }

  return {
    keep: (claimId: string) =>
      keep({
        claimId,
        requestId: undefined,
        operation: 'html-to-markdown',
        keyId: 'test',
        request: BODY,
        response: BODY,
        dueInMs: 60_000,
      }),
    has: async (claimId: string) => {
      const found = await database.selectFrom('retained_body').where('record_id', '=', claimId).select('day').execute();
      return found.length === 1;
    },
    claimOf,
    async outcomeOf(claimId: string): Promise<SettlementOutcome> {
      // It is taken again only after what was asked the first time is stored.
      await untilAsked(claimId);
      await untilAsked(claimId);
      const { state, due_at } = defined(await claimOf(claimId));
      if (state === 'settled') return SETTLEMENT_OUTCOME_SETTLED;
      return state === 'failed' && due_at === null ? SETTLEMENT_OUTCOME_FAILED : SETTLEMENT_OUTCOME_PENDING;
    },
    async close() {
      await pool.end();
      await database.destroy();
    },
  };
}

export type KeptAnswers = Awaited<ReturnType<typeof openKeptAnswers>>;
