import test from 'ava';
import { sql } from 'kysely';
import { defined } from '../../workers/exact/defined.ts';
import { startChannelJobs } from '../services/backoffice/channels/channel-job-stack.ts';
import { PRICE, startChannelStack } from '../services/payments/channels/channel-stack.ts';
import { calls } from '../services/payments/sandbox/channel-chain.ts';

const stack = await startChannelStack();
const { watch, claim, open, call, stop } = await startChannelJobs(stack);
test.after.always(() => stop());

const NOT_DUE = { afterSeconds: 1_000_000, aboveMicroUsd: 1_000_000_000n };

test.serial(
  'a withdrawal of a millionth of a dollar that is never ended does not make each call a claim of its own',
  async (t) => {
    const channel = await open();
    await stack.chain.send(channel.payer.address, calls.initiateWithdraw(channel.config, 1n));
    await stack.chain.node.mine({ blocks: 3 });
    await watch();
    let gas = 0n;
    for (let n = 1n; n <= 5n; n += 1n) {
      await call(channel, n * PRICE);
      await claim(NOT_DUE);
    }
    const claims = (await stack.transactions()).filter(({ kind }) => kind === 'claim');
    for (const { transactions } of claims) {
      const receipt = await stack.chain.node.getTransactionReceipt({
        hash: defined(transactions.at(-1)) as `0x${string}`,
      });
      gas += receipt.gasUsed;
    }
    const { rows } = await sql<{ gas: string }>`SELECT coalesce(sum(gas), 0)::text AS gas FROM ledger.spent_gas
    WHERE starts_with(cause, 'claim:')`.execute(stack.database);
    t.log({ claims: claims.length, gas, counted: rows[0]?.gas });
    // All but one unit of the deposit cannot be withdrawn, so nothing that was charged is in danger.
    t.true(
      claims.length <= 1,
      `${claims.length} claims of one call each, ${gas} gas, none of it counted for the payer`,
    );
  },
);
