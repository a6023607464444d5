import type { Logger } from '../../platform/process/logger.ts';
import { createBooks, listPayees, type RunBy } from '../reconciliation/books.ts';
import { type Reconciliation, reconcile } from '../reconciliation/reconcile.ts';
import type { OperatorDesk } from './operator-service.ts';
import { createRefundRecords } from './refund-records.ts';
import { createRefunds, type RefundsOptions } from './refunds.ts';
import { createRestored, type RestoredOptions } from './restored.ts';
import { createSentRefunds } from './sent-refunds.ts';

export interface OwnDesk {
  readonly desk: OperatorDesk;
  /** Compares the claims with the chain, and logs an error where they differ. */
  reconcileAll(signal: AbortSignal): Promise<void>;
}

export interface OperatorDeskOptions
  extends Omit<RefundsOptions, 'records' | 'sentRefunds' | 'restored'>,
    Pick<RestoredOptions, 'database' | 'payee'> {
  readonly logger: Logger;
}

/** Puts together what an operator can do, on a known chain. */
export function createOperatorDesk(options: OperatorDeskOptions): OwnDesk {
  const { database, terms, rpc, chain, blocks, logger } = options;
  const { network, asset, payTo } = terms;
  const records = createRefundRecords(database);
  const restored = createRestored({ ...options, isSandbox: terms.sandbox });
  const sentRefunds = createSentRefunds({ ...options, restored });
  /** Earlier payees may still get what was on its way, and send refunds. The present one is the last. */
  async function run(runBy: RunBy) {
    const earlier = (await listPayees(database, terms)).filter((payee) => payee !== payTo);
    const found: Reconciliation[] = [];
    for (const payee of [...earlier, payTo]) {
      const books = createBooks({ database, network, asset, payee });
      found.push(await reconcile({ rpc, blocks, books, network, asset, payee }, runBy));
    }
    return {
      differs: found.some(({ differs }) => differs),
      complete: found.every(({ complete }) => complete),
      reports: found.map(({ report }) => report),
    };
  }
  return {
    desk: {
      rpc,
      chain,
      blocks,
      refunds: createRefunds({ ...options, records, restored, sentRefunds }),
      reconcile: () => run('operator'),
    },
    async reconcileAll(signal) {
      for (let isDone = false; !isDone && !signal.aborted; ) {
        const { differs, complete, reports } = await run('job');
        if (differs) logger.error({ reports }, 'the claims and the chain differ: see tollhouse payments reconcile');
        isDone = complete;
      }
    },
  };
}
