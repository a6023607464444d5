import { v7 as uuidv7 } from 'uuid';
import { createBodyCipher } from '../../../../services/backoffice/retention/body-cipher.ts';
import { createPartitions } from '../../../../services/backoffice/retention/partitions.ts';
import type { RetainedCall } from '../../../../services/backoffice/retention/sealed-bodies.ts';
import { openLedgerPool } from '../../../../services/ledger/store/ledger-pool.ts';
import { createKeep } from '../../../../services/ledger/store/post.ts';
import { createPostgresClaims } from '../../../../services/payments/claims/postgres-claims.ts';
import type { NamedKeys } from '../../../../services/platform/process/named-keys.ts';
import { createWallet } from '../../../kit/chain.ts';
import type { TestDatabase } from '../../../kit/test-database.ts';
import { details, leased } from '../../payments/claims/claims-fixture.ts';

export interface StoredCall extends RetainedCall {
  readonly recordId: string;
  readonly requestId: string;
}

const NETWORK = 'eip155:31337';
const ASSET = `0x${'a'.repeat(40)}` as const;

/** Retains paid calls, as the services do: a claim is opened, and its answer is kept. */
export function openRetainedCalls({ url, database }: Pick<TestDatabase, 'url' | 'database'>) {
  const pool = openLedgerPool({ url, connections: 4, statementTimeoutMs: 60_000, onError: () => {} });
  const same = <Outcome>(work: Promise<Outcome>) => work;
  const gate = { admit() {}, guard: same, watch: same };
  const claims = createPostgresClaims({ pool, network: NETWORK, asset: ASSET, hasChain: true, gate });
  const keep = createKeep({ pool, network: NETWORK });

  return {
    claims,
    close: () => pool.end(),
    /** Retains a paid call at a time, with the partitions of that time. */
    async retainCall(
      keys: NamedKeys,
      { atMs = Date.now(), ...changes }: Partial<StoredCall> & { readonly atMs?: number } = {},
    ): Promise<StoredCall> {
      await createPartitions(database, atMs);
      const call = {
        recordId: uuidv7({ msecs: atMs }),
        requestId: uuidv7({ msecs: atMs }),
        operation: 'html-to-markdown',
        requestBody: Buffer.from('{"html":"<p>private question"}'),
        responseBody: Buffer.from('{"markdown":"private answer"}'),
        ...changes,
      };
      const { recordId, requestId, operation } = call;
      const opened = await claims.open(details(createWallet().address, { claimId: recordId }), leased());
      if (opened !== 'opened') throw new Error(`the claim is ${opened}`);
      const cipher = createBodyCipher(keys);
      const kept = await keep({
        claimId: recordId,
        requestId,
        operation,
        dueInMs: 0,
        keyId: cipher.keyId,
        request: await cipher.seal(call.requestBody, { recordId, part: 'request' }),
        response: await cipher.seal(call.responseBody, { recordId, part: 'response' }),
      });
      if (kept !== 'kept') throw new Error(`the answer is ${kept}`);
      return call;
    },
  };
}
