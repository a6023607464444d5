import { v7 as uuidv7 } from 'uuid';
import { createBodyCipher } from '../../../../services/backoffice/retention/body-cipher.ts';
import { createPartitions } from '../../../../services/backoffice/retention/partitions.ts';
import type { RetainedCall } from '../../../../services/backoffice/retention/retained-call.ts';
import { createRetention } from '../../../../services/backoffice/retention/retention.ts';
import type { NamedKeys } from '../../../../services/platform/process/named-keys.ts';
import type { Database } from '../../../../services/store/database.ts';
import { newClaim } from './new-claim.ts';

export interface StoredCall extends RetainedCall {
  readonly requestId: string;
}

/** Retains a paid call at a time, with the partitions of that time. */
export async function retainCall(
  { database, keys }: { readonly database: Database; readonly keys: NamedKeys },
  { atMs = Date.now(), ...changes }: Partial<StoredCall> & { readonly atMs?: number } = {},
): Promise<StoredCall> {
  await createPartitions(database, atMs);
  const call = {
    recordId: uuidv7({ msecs: atMs }),
    requestId: uuidv7({ msecs: atMs }),
    operation: 'html-to-markdown',
    requestBody: Buffer.from('{"html":"<p>private question"}'),
    responseBody: Buffer.from('{"markdown":"private answer"}'),
    dueAt: new Date(atMs),
    claim: newClaim(),
    ...changes,
  };
  await createRetention({ database, cipher: createBodyCipher(keys) }).retain(call);
  return call;
}
