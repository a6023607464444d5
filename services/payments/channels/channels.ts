import type { Logger } from '../../platform/process/logger.ts';
import type { Database } from '../../store/database.ts';
import type { KnownChain } from '../chain/known-chain.ts';
import type { Claims as PaymentClaims } from '../claims/claims.ts';
import type { Terms } from '../payment/terms.ts';
import type { GasBudget } from '../signer/gas-budget.ts';
import type { Lock } from '../signer/signer-lock.ts';
import type { TransactionSender } from '../signer/transaction-sender.ts';
import { createAuthorizer } from './authorizer.ts';
import { createChannelReader } from './channel-reader.ts';
import { createChannelRecords } from './channel-records.ts';
import { createClaimRules, createClaims } from './claims.ts';
import { createDepositRules, createDeposits } from './deposits.ts';
import { createRefundRules, createRefunds } from './refunds.ts';
import { type ChannelSettings, readAuthorizerKey } from './settings.ts';
import { createTransactionRecords } from './transaction-records.ts';
import { createTransactions } from './transactions.ts';
import { createTypedData } from './typed-data.ts';

/** The channels of one contract and receiver. */
export type Channels = ReturnType<typeof createChannels>;

export interface ChannelsOptions {
  readonly settings: ChannelSettings;
  readonly known: KnownChain;
  readonly sender: TransactionSender;
  readonly terms: Terms;
  readonly gasBudget: GasBudget;
  readonly claims: Pick<PaymentClaims, 'payerState' | 'countFailure'>;
  readonly database: Database;
  readonly lock: Lock;
  readonly onMined?: (() => Promise<void>) | undefined;
  readonly now: () => number;
  readonly logger: Logger;
}

/** Puts together what the service does with channels. */
export function createChannels({ settings, known, ...options }: ChannelsOptions) {
  const { rpc, blocks } = known;
  const { terms, database } = options;
  const { network, asset } = terms;
  const typedData = createTypedData(terms);
  const authorizer = createAuthorizer(readAuthorizerKey(settings));
  const { withdrawDelaySeconds, minDeposit } = settings;
  const channelTerms = { receiverAuthorizer: authorizer.address, withdrawDelaySeconds, minDeposit };
  const records = createChannelRecords(database, network);
  const transactionRecords = createTransactionRecords(database, network);
  const shared = { ...options, rpc, blocks, typedData, authorizer, channelTerms, channels: records };
  const rules = {
    deposit: createDepositRules({ ...shared, asset }),
    claim: createClaimRules(rpc),
    refund: createRefundRules({ ...shared, records: transactionRecords }),
  };
  const transactions = createTransactions({ ...shared, records: transactionRecords, rules });
  const parts = { ...shared, records: transactionRecords, transactions };
  return {
    /** Whether new deposits are accepted. */
    isOffered: settings.isOffered,
    channelTerms,
    typedData,
    records,
    reader: createChannelReader({ ...shared, records }),
    deposits: createDeposits(parts),
    claims: createClaims(parts),
    refunds: createRefunds(parts),
    /** Continues all transactions without an ending, once. */
    follow: transactions.followAll,
  };
}
