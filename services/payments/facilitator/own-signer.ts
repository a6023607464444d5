import { defined } from '../../../workers/exact/defined.ts';
import { createBatcher } from '../../platform/batcher.ts';
import { decide } from '../chain/nodes.ts';
import { findReceipt } from '../chain/rpc.ts';
import { causeOf } from '../signer/gas-budget.ts';
import { createBatchSettlement, examine, type Member } from './batch-settlement.ts';
import { MAX_MEMBERS } from './batch-transaction.ts';
import { type EndedPayment, type Facilitator, FacilitatorError, type SettlementReport } from './facilitator.ts';
import type { SigningContext } from './signing-context.ts';
import { createVerifier } from './verification.ts';

/** A payment that waits for a batch. It is answered as soon as its own report is known. */
interface Joining {
  readonly member: Member;
  readonly answer: (report: Promise<SettlementReport>) => void;
}

/** Longest wait of a settlement while the transaction of earlier ones is not mined. */
const WINDOW_MS = 250;

/**
 * The exact scheme's facilitator on our own node and key. The payment's signature was recovered when the payment was read,
 * and the token decides in the simulation.
 */
export function createOwnSigner(context: SigningContext): Facilitator {
  const { gasBudget } = context;
  const verifier = createVerifier(context);
  const settleBatch = createBatchSettlement({ ...context, verifier });
  const join = createBatcher<Joining, void>({
    async send(joining) {
      const { reports, ended } = settleBatch(joining.map(({ member }) => member));
      for (const [index, { answer }] of joining.entries()) answer(defined(reports[index]));
      await ended;
      return joining.map(() => undefined);
    },
    maxItems: MAX_MEMBERS,
    windowMs: WINDOW_MS,
  });
  return {
    async verify(payment) {
      const reason = await verifier.verify(payment).catch((cause: unknown) => {
        throw new FacilitatorError('the node did not verify', { cause });
      });
      return reason === undefined ? { ok: true } : { ok: false, reason };
    },
    async settle(payment, beforeSending) {
      const member: Member = { payment, note: beforeSending };
      // Simulated first, so that a batch has no member that cannot settle.
      return (
        (await examine({ verifier }, member)) ??
        new Promise((answer, reject) => void join({ member, answer }).catch(reject))
      );
    },
    async noteEnded(payment, state) {
      try {
        // What was mined and did not settle it has cost gas.
        await gasBudget.end(causeOf(payment), state === 'failed' ? await usedBy(context, payment) : 0n);
      } catch {
        // Without the node or the database, its gas stays reserved until the end of the next day.
      }
    },
  };
}

/** The gas that the transactions of a payment used. */
async function usedBy({ rpc, versionsOf }: SigningContext, { transaction }: EndedPayment): Promise<bigint> {
  if (transaction === undefined) return 0n;
  const versions = await versionsOf(transaction);
  const receipts = await decide(() => Promise.all(versions.map((each) => findReceipt(rpc, each))));
  return receipts.reduce((sum, receipt) => sum + (receipt?.gasUsed ?? 0n), 0n);
}
