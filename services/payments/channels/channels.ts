import { createAuthorizer } from './authorizer.ts';
import type { ChannelContext } from './channel-context.ts';
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

/** Puts together what the service does with channels. */
export function createChannels(
  given: Omit<ChannelContext, 'channelTerms' | 'typedData' | 'authorizer' | 'channels' | 'records'>,
  settings: ChannelSettings,
) {
  const { database, network, rpc, terms } = given;
  const authorizer = createAuthorizer(readAuthorizerKey(settings));
  const { isOffered, withdrawDelaySeconds, minDeposit } = settings;
  const context: ChannelContext = {
    ...given,
    channelTerms: { receiverAuthorizer: authorizer.address, withdrawDelaySeconds, minDeposit },
    typedData: createTypedData(terms),
    authorizer,
    channels: createChannelRecords(database, network),
    records: createTransactionRecords(database, network),
  };
  const rules = {
    deposit: createDepositRules(context),
    claim: createClaimRules(rpc),
    refund: createRefundRules(context),
  };
  const transactions = createTransactions({ ...context, rules });
  const sending = { ...context, transactions };
  return {
    /** Whether new deposits are accepted. */
    isOffered,
    channelTerms: context.channelTerms,
    records: context.channels,
    reader: createChannelReader(context),
    deposits: createDeposits(sending),
    claims: createClaims(sending),
    refunds: createRefunds(sending),
    /** Continues all transactions without an ending, once. */
    follow: transactions.followAll,
  };
}
