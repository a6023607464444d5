import type { Hex } from 'viem';
import type { Calls } from '../chain/calls.ts';
import type { Rpc } from '../chain/nodes.ts';
import type { Context } from '../payment/context.ts';
import type { GasBudget } from '../signer/gas-budget.ts';
import type { TransactionSender } from '../signer/transaction-sender.ts';

/** What a signer of our own needs to verify and settle payments. */
export interface SigningContext extends Pick<Context, 'terms' | 'now' | 'logger'> {
  readonly rpc: Rpc;
  readonly calls: Calls;
  readonly sender: TransactionSender;
  readonly gasBudget: GasBudget;
  /** A transaction with all its replacements. */
  readonly versionsOf: (transaction: Hex) => Promise<readonly Hex[]>;
  /** Longest wait for a receipt. */
  readonly settleTimeoutMs: number;
}
