import type { ChannelAccount, ContractState } from '../../../proto/gen/tollhouse/ledger/v1/ledger.ts';
import type { ChannelTransfer } from '../../../proto/gen/tollhouse/payments/v1/channels.ts';
import type { Denial } from '../../../services/ledger/contract/outcomes.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { AppError } from '../../errors/app-error.ts';
import type { ChannelCorrection, ChannelState } from '../offer/channel-terms.ts';
import { AGAIN } from '../payment/payment-answers.ts';
import type { PaymentOutcome } from '../payment/payment-outcome.ts';
import type { ChannelPayload } from './channel-payload.ts';
import { type ChannelReason, reasonOf } from './channel-reason.ts';

export function channelUnavailable(cause?: unknown): AppError {
  return new AppError('PAYMENT_UNAVAILABLE', `the payment could not be recorded; ${AGAIN}`, { cause });
}

type Undecided = Extract<Denial, 'deadline_passed' | 'unsettled' | 'posted' | 'conflict'>;

/**
 * Whether the ledger could not decide. The client must not be corrected: it would believe a sum without the charges that
 * may be missing of a channel that is not settled.
 */
export const isUndecided = (state: Denial): state is Undecided =>
  state === 'deadline_passed' || state === 'unsettled' || state === 'posted' || state === 'conflict';

export const refused = (
  reason: ChannelReason | `${ChannelReason}: ${string}`,
): Extract<PaymentOutcome, { kind: 'refused' }> => ({
  kind: 'refused',
  reason,
});

/** What the contract shows, as the ledger and the payments service answer it. */
type ShownContract = { readonly [Member in keyof ContractState]: string | bigint };

/** Members of the contract are absent if it has not been read yet. Clients use only the sum of the charges. */
export const stateOf = (
  channelId: string,
  chargedMicroUsd: bigint,
  contract: ShownContract | undefined,
): ChannelState => ({
  channelId,
  ...(contract && stateInContract(contract)),
  chargedCumulativeAmount: String(chargedMicroUsd),
});

const stateInContract = ({ balance, totalClaimed, withdrawRequestedAtS, refundNonce }: ShownContract) => ({
  balance: String(balance),
  totalClaimed: String(totalClaimed),
  withdrawRequestedAt: Number(withdrawRequestedAtS),
  refundNonce: String(refundNonce),
});

/** From this the client learns the sum that its next voucher is for, with its own signature as evidence. */
export function correct(
  channelId: string,
  { chargedMicroUsd, voucher, contract }: ChannelAccount,
): Extract<PaymentOutcome, { kind: 'refused' }> {
  const channelState = stateOf(channelId, chargedMicroUsd, contract);
  const correction: ChannelCorrection =
    voucher === undefined
      ? { channelState }
      : {
          channelState,
          voucherState: { signedMaxClaimable: String(voucher.cumulativeMicroUsd), signature: voucher.signature },
        };
  return { ...refused(reasonOf('cumulative_amount_mismatch')), correction };
}

interface Settled {
  readonly payer: string;
  readonly network: string;
  readonly state: Partial<ChannelState>;
  /** Absent for a refund, and for a deposit whose call failed. */
  readonly chargedMicroUsd?: bigint;
  /** The transaction of a deposit or refund. A voucher has none. */
  readonly sent?: Pick<ChannelTransfer, 'transaction' | 'amount'> | undefined;
}

/** JSON text of an x402 `SettleResponse`, as the package of the scheme answers. */
export function describeSettled({ payer, network, state, chargedMicroUsd, sent }: Settled): string {
  return JSON.stringify({
    success: true,
    payer,
    transaction: sent?.transaction ?? '',
    network,
    amount: sent?.amount ?? '',
    extra: {
      ...(chargedMicroUsd === undefined ? {} : { chargedAmount: String(chargedMicroUsd) }),
      channelState: state,
    },
  });
}

/** A deposit that was made with a call. `channel` is what the contract shows after it. */
export type Deposited = ChannelTransfer;

/**
 * The payment response of a deposit whose call failed. It says nothing of charges, which may not be known: the official
 * clients then count none, and they would not note the deposit beside a sum that is not theirs.
 */
export function describeDeposit(network: string, { config, channelId }: ChannelPayload, deposited: Deposited): string {
  const state = { channelId, ...stateInContract(defined(deposited.channel)) };
  return describeSettled({ payer: config.payer, network, state, sent: deposited });
}
