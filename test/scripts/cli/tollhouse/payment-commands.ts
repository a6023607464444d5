import { encodeFunctionData, type Hex, parseAbi } from 'viem';
import { listActs } from '../../../../services/store/operator-acts.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { until } from '../../../kit/until.ts';
import type { Payments } from '../../../services/payments/harness.ts';
import type { startOwnPayee } from '../../../services/payments/own-payee.ts';
import { readRefund, readRuns, readShown } from './payment-reports.ts';
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

  /** Waits while the claims are recovered, which a restart of the service may begin on a busy machine. */
  const refund = (claimId: string) =>
    until(async () => {
      const { output, errors } = await run('refund', claimId, '--reason', 'ticket 17', '--json');
      if (output === '') throw new Error(errors);
      return readRefund(output);
    });

  /** Sends tokens of an account whose key anvil holds. */
  async function transfer(from: Hex, to: Hex, amount: bigint): Promise<Hex> {
    const { node } = stack.chain;
    const abi = parseAbi(['function transfer(address to, uint256 value) returns (bool)']);
    const data = encodeFunctionData({ abi, functionName: 'transfer', args: [to, amount] });
    const hash = await node.request({
      method: 'eth_sendTransaction',
      params: [{ from, to: stack.offer.asset as Hex, data }],
    } as never);
    return hash as Hex;
  }

  const dryRefund = (claimId: string, ...options: readonly string[]) =>
    run('refund', claimId, '--reason', 'ticket 17', '--dry-run', ...options);

  const actsOf = (subject: string) => listActs(stack.database, { subject, limit: 10 });

  return { runAt, run, stateOf, reconcile, refund, transfer, dryRefund, actsOf };
}
