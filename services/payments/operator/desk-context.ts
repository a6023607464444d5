import type { KnownChain } from '../chain/known-chain.ts';
import type { Claims } from '../claims/claims.ts';
import type { Context } from '../payment/context.ts';
import type { TransactionSender } from '../signer/transaction-sender.ts';

/** What an operator's acts on a known chain share. */
export interface DeskContext extends Context, KnownChain {
  readonly claims: Claims;
  /** undefined: the key of the payee is not held here. */
  readonly payee: TransactionSender | undefined;
}
