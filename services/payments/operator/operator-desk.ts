import { createBooks, listPayees, type RunBy } from '../reconciliation/books.ts';
import { type Reconciliation, reconcile } from '../reconciliation/reconcile.ts';
import type { DeskContext } from './desk-context.ts';
import { createRefunds } from './refunds.ts';

export type OperatorDesk = ReturnType<typeof createOperatorDesk>;

/** Puts together what an operator can do, on a known chain. */
export function createOperatorDesk(context: DeskContext) {
  const { database, terms, logger } = context;
  const { asset, payTo } = terms;
  /** Earlier payees may still get what was on its way, and send refunds. The present one is the last. */
  async function run(runBy: RunBy) {
    const earlier = (await listPayees(database, terms)).filter((payee) => payee !== payTo);
    const found: Reconciliation[] = [];
    for (const payee of [...earlier, payTo]) {
      const books = createBooks({ ...context, asset, payee });
      found.push(await reconcile({ ...context, books, asset, payee }, runBy));
    }
    return {
      differs: found.some(({ differs }) => differs),
      complete: found.every(({ complete }) => complete),
      reports: found.map(({ report }) => report),
    };
  }
  return {
    ...context,
    refunds: createRefunds(context),
    reconcile: () => run('operator'),
    /** Compares the claims with the chain, and logs an error where they differ. */
    async reconcileAll(signal: AbortSignal): Promise<void> {
      for (let isDone = false; !isDone && !signal.aborted; ) {
        const { differs, complete, reports } = await run('job');
        if (differs) logger.error({ reports }, 'the claims and the chain differ: see tollhouse payments reconcile');
        isDone = complete;
      }
    },
  };
}
