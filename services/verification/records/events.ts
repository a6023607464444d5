import { v7 as uuidv7 } from 'uuid';
import { canonicalText } from '../../../workers/exact/canonical-json.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';

/** What the webhook tells. Only ids and codes: a receiver may log it, and its readers may have no key. */
type Event =
  | { readonly type: 'plan.proposed' | 'plan.approved' | 'plan.rejected'; readonly plan_id: string }
  | ({ readonly type: 'execution.proven'; readonly proof_id: string } & ExecutionRef)
  | ({ readonly type: 'execution.refuted'; readonly reasons: readonly { readonly code: string }[] } & ExecutionRef);

interface ExecutionRef {
  readonly plan_id: string;
  readonly execution_id: string;
}

/** Stores an event for the webhook, which is told it once the transaction has ended. */
export async function storeEvent(
  transaction: TenantTransaction,
  { tenantId }: { readonly tenantId: string },
  { type, ...data }: Event,
): Promise<void> {
  const codes = 'reasons' in data ? { reasons: [...new Set(data.reasons.map(({ code }) => code))] } : {};
  await transaction
    .insertInto('verification.webhook_event')
    .values({
      tenant_id: tenantId,
      event_id: uuidv7(),
      type,
      data: canonicalText({ tenant_id: tenantId, ...data, ...codes }),
    })
    .execute();
}
