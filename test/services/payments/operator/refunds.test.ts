import test from 'ava';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { encodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem';
import { createConfirmedBlocks } from '../../../../services/payments/chain/confirmed-blocks.ts';
import { createRpc } from '../../../../services/payments/chain/rpc.ts';
import { createRefundRecords, type RefundRecords } from '../../../../services/payments/operator/refund-records.ts';
import { createRefunds } from '../../../../services/payments/operator/refunds.ts';
import { createRestored } from '../../../../services/payments/operator/restored.ts';
import { createTransactionSender } from '../../../../services/payments/signer/transaction-sender.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { createWallet } from '../../../kit/chain.ts';
import { until } from '../../../kit/until.ts';
import { runCommand } from '../../../scripts/cli/tollhouse/run-command.ts';
import { AMOUNT } from '../harness.ts';
import { createMemoryReplacements } from '../memory-replacements.ts';
import { CONFIRMATIONS, PAYEE, SIGNER_KEY, startOwnPayee } from '../own-payee.ts';

const stack = await startOwnPayee({
  SETTLE_TIMEOUT_MS: '1000',
  X402_MAX_FEE_GWEI: '1000',
  X402_REPLACE_AFTER_MS: '600000',
});
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

/** Replaces a transaction of the payee that waits to be mined, as an operator would with a wallet. */
async function replace(
  data: Hex,
  replaced: { readonly nonce: number; readonly maxFeePerGas?: bigint | undefined },
): Promise<Hex> {
  await node.impersonateAccount({ address: PAYEE });
  const [fee, nonce] = [numberToHex(defined(replaced.maxFeePerGas) * 3n), numberToHex(replaced.nonce)];
  const fees = { maxFeePerGas: fee, maxPriorityFeePerGas: fee };
  const params = [{ from: PAYEE, to: stack.offer.asset as Hex, data, nonce, ...fees }];
  return node.request({ method: 'eth_sendTransaction', params } as never);
}

const transferTo = (to: Hex): Hex =>
  encodeFunctionData({
    abi: parseAbi(['function transfer(address to, uint256 value)']),
    functionName: 'transfer',
    args: [to, BigInt(AMOUNT)],
  });

test.serial('a transfer that took the nonce of a refund is the refund, if it transfers the same', async (t) => {
  t.teardown(() => node.setAutomine(true));
  const { claimId, payment } = await stack.settled();
  const other = await stack.settled();
  await stack.finalize(other.claimId);
  await node.setAutomine(false);
  const sent = await refund(claimId);
  const second = await refund(other.claimId);
  const [first, next] = await Promise.all([sent, second].map(({ transaction: hash }) => node.getTransaction({ hash })));
  await stack.service().stop();
  // A wallet sends the first refund with higher fees, and cancels the second one.
  const { from } = payment.payload.authorization;
  const faster = await replace(transferTo(from), defined(first));
  await replace(transferTo(PAYEE), defined(next));
  await node.setAutomine(true);
  await node.mine({ blocks: CONFIRMATIONS });
  await stack.restart();
  t.like(await refund(claimId), { transaction: faster, state: 'final' });
  t.is(await stack.chargedTo(payment), 0n);
  const again = await refund(other.claimId);
  t.not(again.transaction, second.transaction);
  t.is(await stack.chargedTo(other.payment), 0n);
});

test.serial('a refund of which PostgreSQL did not say that it is recorded is sent, or not known', async (t) => {
  const rpc = createRpc(stack.sandbox.rpcUrl);
  const records = createRefundRecords(stack.database, stack.env.X402_NETWORK);
  const payee = createTransactionSender({
    ...{ rpc, chainId: 31337, privateKey: SIGNER_KEY, maxFeePerGas: 10n ** 12n, replaceAfterMs: 600_000 },
    ...{ lock: (_name, work) => work(), replacements: createMemoryReplacements(), now: Date.now },
  });
  const lost = new Error('the connection was lost');
  const refundsWith = (changes: Partial<RefundRecords>) =>
    createRefunds({
      ...{ rpc, payee, lock: (_name, work) => work(), logger: createLogger({ name: 'test', level: 'silent' }) },
      records: { ...records, ...changes },
      restored: createRestored({ database: stack.database, rpc, payee, isSandbox: false }),
      blocks: createConfirmedBlocks({ rpc, confirmations: CONFIRMATIONS }),
    });
  const claim = {
    ...{ network: stack.env.X402_NETWORK, asset: stack.offer.asset as Hex, payee: PAYEE },
    ...{ payer: createWallet().address, amount: 7n },
  };
  const by = { operator: 'alice', reason: 'ticket 17' };
  await stack.chain.mint(PAYEE, 14n);
  const insert: RefundRecords['insert'] = async (...given) => {
    await records.insert(...given);
    throw lost;
  };
  const sent = await refundsWith({ insert }).send({ ...claim, claimId: uuidv7() }, by);
  t.is(sent.state, 'mined');
  t.is(await stack.chain.balanceOf(claim.payer), 7n);

  const find = () => Promise.reject(lost);
  const [one, other] = [uuidv7(), uuidv7()];
  await t.throwsAsync(refundsWith({ insert, find }).send({ ...claim, claimId: one }, by), {
    message: /^it is not known whether the refund was recorded/,
  });
  t.is(await stack.chain.balanceOf(claim.payer), 7n);
  t.like(await refundsWith({}).advance(one, 5000), { state: 'mined' });
  await t.throwsAsync(refundsWith({ insert: find }).send({ ...claim, claimId: other }, by), {
    message: /^no refund was sent/,
  });
  t.is(await refundsWith({}).advance(other, 0), undefined);
});

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
