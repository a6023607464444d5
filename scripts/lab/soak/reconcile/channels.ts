import type { Books, ChannelRecord } from '../run/books.ts';
import { CHANNELS, type ChainBooks } from './chain.ts';
import { sumOf } from './payments.ts';
import type { Stores } from './stores.ts';

export interface ChannelSources {
  readonly books: Pick<Books, 'channels' | 'contradict'>;
  readonly stores: Pick<Stores, 'channel'>;
  readonly chain: Pick<ChainBooks, 'channelOf' | 'transfers'>;
}

/** Compares the answers to calls by channel with the ledger and the contract. */
export async function reconcileChannels({ books, stores, chain }: ChannelSources): Promise<void> {
  let claimedOfAll = 0n;
  for (const channel of books.channels) {
    const { channelId, payer, calls } = channel;
    const account = await stores.channel(channelId);
    const contract = await chain.channelOf(channelId);
    claimedOfAll += contract.claimed;
    const of = (address: string) => address === payer.toLowerCase();
    const paidIn = sumOf(chain.transfers.filter(({ from }) => of(from)));
    const paidBack = sumOf(chain.transfers.filter(({ from, to }) => from === CHANNELS && of(to)));
    const { charged } = account;
    const [last, ...others] = calls.filter(({ cumulative }) => cumulative <= charged).toReversed();
    const faults: readonly (readonly [boolean, string])[] = [
      [calls.some(isMissing(charged)), 'a call was answered and is not charged'],
      [charged !== (last?.cumulative ?? 0n), 'a channel was charged what nobody signed'],
      [account.calls !== (last === undefined ? 0 : others.length + 1), 'a call was charged twice, or executed unasked'],
      [charged > contract.balance, 'a channel was charged more than it holds'],
      [contract.claimed > charged, 'more was claimed than charged'],
      [contract.claimed < (others[0]?.cumulative ?? 0n), 'what can be claimed is not claimed'],
      [paidIn - paidBack !== contract.balance, 'a deposit or a refund was lost'],
      [calls.some(hasTwoResults), 'a voucher got two results'],
    ];
    for (const [isTrue, fault] of faults) if (isTrue) books.contradict(fault, { channel, account, contract });
  }
  const claimsPaid = sumOf(chain.transfers.filter(({ from }) => from === CHANNELS));
  const refunds = books.channels.map(({ payer }) => payer.toLowerCase());
  const refunded = sumOf(chain.transfers.filter(({ from, to }) => from === CHANNELS && refunds.includes(to)));
  if (claimsPaid - refunded !== claimedOfAll) {
    books.contradict('what is claimed is not with the payee', { claimedOfAll, claimsPaid, refunded });
  }
}

type Call = ChannelRecord['calls'][number];

const resultsOf = ({ answers }: Call) => answers.flatMap((answer) => (answer?.status === 200 ? [answer.text] : []));
const hasTwoResults = (call: Call) => new Set(resultsOf(call)).size > 1;
const isMissing = (charged: bigint) => (call: Call) => resultsOf(call).length > 0 && call.cumulative > charged;
