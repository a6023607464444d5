import type { Obligations } from '../../../../services/backoffice/obligations.ts';
import type { RetainedCall } from '../../../../services/backoffice/retention/retained-call.ts';
import { type Retention, SupersededError } from '../../../../services/backoffice/retention/retention.ts';
import type { StorePosition } from '../../../../services/platform/redis/redis-guard.ts';
import type { Statement } from './statements.ts';
import type { Tables } from './tables.ts';

/** The farthest position of the valid epoch, as `INSERT … ON CONFLICT` of the witnesses keeps it. */
export function attestIn(
  witness: Map<string, StorePosition>,
  network: string,
  { epoch, sequence }: StorePosition,
): StorePosition {
  const known = witness.get(network) ?? { epoch, sequence };
  const isFarther = known.epoch === epoch && sequence > known.sequence;
  const farthest = isFarther ? { epoch, sequence } : known;
  witness.set(network, farthest);
  return farthest;
}

function retainIn(tables: Tables, call: RetainedCall): 'stored' | 'superseded' {
  const { recordId, claim, dueAt } = call;
  if (!tables.claims.has(recordId)) {
    const isTaken = [...tables.claims.values()].some(
      (row) =>
        row.network === claim.network &&
        row.asset === claim.asset &&
        row.payer === claim.payer &&
        row.nonce === claim.nonce,
    );
    if (isTaken) return 'superseded';
    tables.claims.set(recordId, {
      ...claim,
      claimId: recordId,
      transaction: undefined,
      outcome: undefined,
      block: undefined,
      isMissing: false,
      isFinalized: false,
      lostReason: undefined,
    });
  }
  if (tables.retained.has(recordId)) return 'stored';
  tables.retained.set(recordId, call);
  tables.obligations.set(recordId, { recordId, dueAtMs: dueAt.getTime(), attempts: 0 });
  return 'stored';
}

export function createSimulatedRetention(tables: Tables, statement: Statement): Retention {
  return {
    async retain(call) {
      const { recordId } = call;
      const inserted = await statement(`retain ${recordId}`, () => retainIn(tables, call));
      if (inserted === 'superseded') throw new SupersededError(`${recordId} is superseded`);
    },
    read: (recordId) => statement('read a record', () => tables.retained.get(recordId)),
    databaseTimeMs: () => statement('read the time', () => BigInt(Math.floor(tables.clockMs()))),
    createPartitions: async () => {},
    check: async () => {},
  };
}

const FIRST_RETRY_MS = 5000;
const MAX_RETRY_MS = 3_600_000;

export function createSimulatedObligations(tables: Tables, statement: Statement): Obligations {
  return {
    takeDue: (limit) =>
      statement('take obligations', () => {
        const nowMs = tables.clockMs();
        const due = [...tables.obligations.values()]
          .filter(({ dueAtMs }) => dueAtMs <= nowMs)
          .toSorted((one, other) => one.dueAtMs - other.dueAtMs)
          .slice(0, limit);
        for (const row of due) {
          row.dueAtMs = nowMs + Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(row.attempts, 16));
          row.attempts += 1;
        }
        return due.map(({ recordId }) => recordId);
      }),
    delete: (recordIds) =>
      statement('delete obligations', () => {
        for (const id of recordIds) tables.obligations.delete(id);
      }),
  };
}
