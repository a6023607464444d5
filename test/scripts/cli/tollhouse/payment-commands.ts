import type { Hex } from 'viem';
import { listActs } from '../../../../services/store/operator-acts.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { until } from '../../../kit/until.ts';
import { AMOUNT, type Payments } from '../../../services/payments/harness.ts';
import { CONFIRMATIONS, PAYEE, type SettledPayment, type startOwnPayee } from '../../../services/payments/own-payee.ts';
import { readRuns, readShown } from './payment-reports.ts';
import { runCommand } from './run-command.ts';

/** What an operator does with the payments of a stack. */
export function openPaymentCommands(stack: Awaited<ReturnType<typeof startOwnPayee>>) {
  const runAt = ({ target }: Payments, args: readonly string[]) => {
    const environment = {
      DATABASE_URL: stack.sandbox.databaseUrl,
      PAYMENTS_URL: target,
      TOLLHOUSE_OPERATOR: 'alice',
    };
    return runCommand(environment, args[0] === 'earnings' ? args : ['payments', ...args]);
  };
  const run = (...args: readonly string[]) => runAt(stack.service(), args);

  async function stateOf(claimId: string): Promise<string> {
    return readShown((await run('show', claimId, '--json')).output).claim.state;
  }

  async function reconcile() {
    const { exitCode, output } = await run('reconcile', '--json');
    const { differs, runs } = readRuns(output);
    return { exitCode, differs, run: defined(runs.at(-1)) };
  }

  const record = (claimId: string, transaction: string) =>
    run('refund', claimId, '--transaction', transaction, '--reason', 'ticket 17');

  /** Asks for the refund of a claim, sends it as an operator does, and records it. */
  async function refund({ claimId, payment }: SettledPayment): Promise<Hex> {
    // A restart of the service may let it recover its claims for a while.
    await until(async () => {
      const { exitCode, errors } = await run('refund', claimId, '--reason', 'ticket 17');
      if (exitCode !== 0) throw new Error(errors);
      return true;
    });
    const { chain } = stack;
    const transaction = await chain.transfer(PAYEE, payment.payload.authorization.from, BigInt(AMOUNT));
    await chain.node.mine({ blocks: CONFIRMATIONS });
    const { errors } = await record(claimId, transaction);
    if (errors !== '') throw new Error(errors);
    return transaction;
  }

  const actsOf = (subject: string) => listActs(stack.database, { subject, limit: 10 });

  return { run, stateOf, reconcile, record, refund, actsOf };
}
