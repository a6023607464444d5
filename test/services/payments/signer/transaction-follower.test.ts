import test from 'ava';
import type { Hex } from 'viem';
import { createConfirmedBlocks } from '../../../../services/payments/chain/confirmed-blocks.ts';
import type { KnownChain } from '../../../../services/payments/chain/known-chain.ts';
import type { Context } from '../../../../services/payments/payment/context.ts';
import type { PaidScheme } from '../../../../services/payments/signer/signer-transactions.ts';
import { createTransactionFollower } from '../../../../services/payments/signer/transaction-follower.ts';
import type { TransactionSender } from '../../../../services/payments/signer/transaction-sender.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { awaitReceipt, createWallet } from '../../../kit/chain.ts';
import { contextOf } from '../../../kit/context-of.ts';
import { createTestDatabase } from '../../../kit/test-database.ts';
import { CONFIRMATIONS, hex32, PAY_TO, startWatchedChain } from '../channels/watched-chain.ts';
import { storeTransaction } from '../stored-transaction.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
const [chain, { database, stop }] = await Promise.all([startWatchedChain(), createTestDatabase()]);
test.after.always(() => Promise.all([chain.stop(), stop()]));
test.before(() => chain.node.mine({ blocks: 20 }));

interface Setting {
  readonly confirmations?: number;
  readonly hastenFails?: boolean;
  readonly runs?: number;
}

let opened = 0;
/** The transactions of a signer on a network of its own, and how they are followed. */
async function open() {
  opened += 1;
  const network = `eip155:${opened}`;
  const wallet = createWallet();
  await chain.node.setBalance({ address: wallet.address, value: 10n ** 18n });
  const note = (hash: Hex, nonce: number, scheme: PaidScheme = 'exact') =>
    storeTransaction(database, network, { hash, signer: wallet.address, nonce }, scheme);
  return {
    note,
    /** Mines a transaction that was noted. @returns its cost */
    async mine(nonce: number) {
      const serializedTransaction = await wallet.signTransaction({
        ...{ chainId: 31337, type: 'eip1559', nonce, to: PAY_TO },
        ...{ gas: 100_000n, maxFeePerGas: 10n ** 10n },
      });
      const hash = await chain.node.sendRawTransaction({ serializedTransaction });
      await note(hash, nonce);
      const { gasUsed, effectiveGasPrice } = await awaitReceipt(chain.node, hash);
      return gasUsed * effectiveGasPrice;
    },
    /** Follows some times, with one follower. @returns which transactions were to be replaced */
    async follow({ confirmations = CONFIRMATIONS, hastenFails = false, runs = 1 }: Setting = {}) {
      const hastened: Hex[] = [];
      const sender = contextOf<TransactionSender>({
        async hasten(hash) {
          hastened.push(hash);
          if (hastenFails) throw new Error('no answer');
          return undefined;
        },
      });
      const { rpc } = chain;
      const blocks = createConfirmedBlocks({ rpc, confirmations });
      const context = contextOf<Context & KnownChain>({ database, network, rpc, blocks, logger });
      const follow = createTransactionFollower(context, sender);
      for (let run = 0; run < runs; run += 1) await follow(new AbortController().signal);
      return hastened;
    },
    async costs() {
      const rows = await database
        .selectFrom('signer_transaction')
        .select(['cost_wei', 'known_at'])
        .where('network', '=', network)
        .orderBy('sequence')
        .execute();
      return rows.map(({ cost_wei: cost, known_at }) => (known_at === null ? undefined : BigInt(cost ?? -1)));
    },
  };
}

test.serial('the cost of a transaction is known once its block is final, and nothing replaces it', async (t) => {
  const { mine, follow, costs } = await open();
  const cost = await mine(0);
  t.deepEqual([await follow(), await costs()], [[], [undefined]]);
  await chain.node.mine({ blocks: CONFIRMATIONS - 1 });
  t.deepEqual([await follow(), await costs()], [[], [cost]]);
});

test.serial('a transaction whose nonce another one has costs nothing', async (t) => {
  const { note, mine, follow, costs } = await open();
  await note(hex32(1), 0);
  const cost = await mine(0);
  t.deepEqual([await follow(), await costs()], [[hex32(1)], [undefined, undefined]], 'the other one is not final');
  await chain.node.mine({ blocks: CONFIRMATIONS - 1 });
  t.deepEqual([await follow(), await costs()], [[], [0n, cost]]);
});

test.serial('settlements that are not mined are replaced, also before the first final block', async (t) => {
  const { note, follow, costs } = await open();
  await note(hex32(1), 0);
  await note(hex32(2), 1);
  await note(hex32(3), 2, 'batch-settlement');
  t.deepEqual(await follow(), [hex32(1), hex32(2)]);
  t.deepEqual(await follow({ confirmations: 1_000_000 }), [hex32(1), hex32(2)]);
  t.deepEqual(await follow({ hastenFails: true }), [hex32(1), hex32(2)]);
  t.deepEqual(await costs(), [undefined, undefined, undefined]);
});

test.serial('a hundred transactions that are never mined do not keep the later ones from being followed', async (t) => {
  const { note, mine, follow, costs } = await open();
  // Such as those that a node refused for want of ether, of a key that was replaced then.
  for (let n = 1; n <= 100; n += 1) await note(hex32(n), 7);
  const cost = await mine(0);
  await note(hex32(101), 8);
  await chain.node.mine({ blocks: CONFIRMATIONS - 1 });
  const first = Array.from({ length: 100 }, (_, n) => hex32(n + 1));
  t.deepEqual(await follow({ runs: 3 }), [...first, hex32(101), ...first]);
  t.is((await costs())[100], cost);
});
