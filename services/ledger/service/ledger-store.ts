import type { ChannelAccount, ChannelCharge, RefundHold } from '../contract/channels.ts';
import type { ChannelChargeOutcome, Keeping, RefundHoldOutcome } from '../contract/outcomes.ts';
import type { ClaimedAnswer } from '../store/keep.ts';
import type { TrialLedger } from '../store/trial-ledger.ts';

/** What the service serves: credit of wallets and channels. Every method throws `LedgerUnavailableError`. */
export interface LedgerStore extends Pick<TrialLedger, 'reserve' | 'post' | 'void' | 'budget'> {
  charge(charge: ChannelCharge): Promise<ChannelChargeOutcome>;
  /** Stores the answer that a claim will pay for, in one durable commit. */
  keep(answer: ClaimedAnswer): Promise<Keeping>;
  holdRefund(hold: RefundHold): Promise<RefundHoldOutcome>;
  /** The accounts in the order of the ids. */
  channels(channelIds: readonly string[]): Promise<readonly ChannelAccount[]>;
}
