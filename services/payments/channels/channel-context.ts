import type { Hex } from 'viem';
import type { KnownChain } from '../chain/known-chain.ts';
import type { Claims } from '../claims/claims.ts';
import type { Context } from '../payment/context.ts';
import type { GasBudget } from '../signer/gas-budget.ts';
import type { TransactionSender } from '../signer/transaction-sender.ts';
import type { Authorizer } from './authorizer.ts';
import type { ChannelRecords } from './channel-records.ts';
import type { TransactionRecords } from './transaction-records.ts';
import type { TypedData } from './typed-data.ts';

/** The terms of channels. They are fixed while the service runs. */
export interface ChannelTerms {
  readonly receiverAuthorizer: Hex;
  readonly withdrawDelaySeconds: number;
  /** Atomic units. */
  readonly minDeposit: bigint;
}

/** What the parts of channels share. */
export interface ChannelContext extends Context, KnownChain {
  readonly channelTerms: ChannelTerms;
  readonly typedData: TypedData;
  readonly authorizer: Authorizer;
  readonly sender: TransactionSender;
  readonly gasBudget: GasBudget;
  readonly claims: Claims;
  readonly channels: ChannelRecords;
  readonly records: TransactionRecords;
  /** Runs when a transaction is in the chain. The sandbox saves its chain. */
  readonly onMined?: (() => Promise<void>) | undefined;
}
