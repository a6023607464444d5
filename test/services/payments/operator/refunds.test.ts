import test from 'ava';
import { sql } from 'kysely';
import type { Hex } from 'viem';
import { until } from '../../../kit/until.ts';
import { runCommand } from '../../../scripts/cli/tollhouse/run-command.ts';
import { CONFIRMATIONS, startOwnPayee } from '../own-payee.ts';

const stack = await startOwnPayee({ X402_REPLACE_AFTER_MS: '600000' });
const { node } = stack.chain;
test.after.always(() => stack.stop());

const run = (...args: readonly string[]) =>
  runCommand(
    {
      DATABASE_URL: stack.sandbox.databaseUrl,
      PAYMENTS_URL: stack.service().target,
      TOLLHOUSE_OPERATOR: 'alice',
    },
    ['payments', ...args],
  );

async function refund(claimId: string): Promise<{ readonly transaction: Hex; readonly state: string }> {
  const { output, errors } = await run('refund', claimId, '--reason', 'ticket 17', '--json');
  if (output === '') throw new Error(errors);
  return JSON.parse(output);
}

test.serial(
  'a refund that waits to be mined, and whose record a restored database lost, is not sent again',
  async (t) => {
    t.teardown(() => node.setAutomine(true));
    const { claimId, payment } = await stack.settled();
    await stack.finalize(claimId);
    await run('reconcile');
    await node.setAutomine(false);
    const { transaction, state } = await refund(claimId);
    t.is(state, 'sent');
    // It waits, and the database is restored from a backup that was made before.
    await stack.database.deleteFrom('payment_refund').where('claim_id', '=', claimId).execute();
    await sql`UPDATE ledger.epoch SET identity = 'another'`.execute(stack.database);
    await until(
      async () => (await sql`SELECT FROM ledger.epoch WHERE number = 1`.execute(stack.database)).rows.length === 1,
    );
    await node.setBlockGasLimit({ gasLimit: 1000n });
    await node.mine({ blocks: CONFIRMATIONS });
    await run('reconcile');
    const waiting = await run('refund', claimId, '--reason', 'ticket 17');
    t.regex(waiting.errors, /^not refunded: .* waits to be mined/);
    await node.setBlockGasLimit({ gasLimit: 30_000_000n });
    await node.mine({ blocks: 1 });
    t.is(await stack.chargedTo(payment), 0n);
    const mined = await run('refund', claimId, '--reason', 'ticket 17');
    t.regex(mined.errors, new RegExp(`^not refunded: transaction ${transaction} transferred the same amount`));
  },
);
