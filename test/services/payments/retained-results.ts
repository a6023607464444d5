import { randomBytes } from 'node:crypto';
import type { BeginResponse_Execute } from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { createBodyCipher } from '../../../services/backoffice/retention/body-cipher.ts';
import { readRetainedClaim } from '../../../services/backoffice/retention/retained-claims.ts';
import { createRetention } from '../../../services/backoffice/retention/retention.ts';
import { createLogger } from '../../../services/platform/process/logger.ts';
import { openDatabase } from '../../../services/store/database.ts';

/** Opens the back office's store of results, which a gateway uses between execution and settlement. */
export async function openRetainedResults(databaseUrl: string) {
  const database = openDatabase({
    url: databaseUrl,
    connections: 2,
    logger: createLogger({ name: 'test', level: 'silent' }),
  });
  const cipher = createBodyCipher([{ id: 'test', secret: randomBytes(32) }]);
  const retention = createRetention({ database, cipher });
  await retention.createPartitions(Date.now());
  return {
    retain: ({ claimId, record }: BeginResponse_Execute) =>
      retention.retain({
        recordId: claimId,
        operation: 'html-to-markdown',
        requestBody: Buffer.from('{}'),
        responseBody: Buffer.from('{}'),
        dueAt: new Date(Date.now() + 60_000),
        claim: readRetainedClaim(record),
      }),
    has: async (claimId: string) => (await retention.read(claimId)) !== undefined,
    obligationOf: (claimId: string) =>
      database.selectFrom('obligation').selectAll().where('record_id', '=', claimId).executeTakeFirst(),
    claimOf: (claimId: string) =>
      database.selectFrom('payment_claim').selectAll().where('claim_id', '=', claimId).executeTakeFirst(),
    close: () => database.destroy(),
  };
}

export type RetainedResults = Awaited<ReturnType<typeof openRetainedResults>>;
