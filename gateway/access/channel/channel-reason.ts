/** Error reasons of the scheme `batch-settlement`. The official client knows some of them and shows the others. */
export type ChannelReason = `invalid_batch_settlement_evm_${ChannelFault}`;

type ChannelFault =
  | 'authorizer_address_mismatch'
  | 'channel_busy'
  | 'channel_id_invalid'
  | 'channel_id_mismatch'
  | 'channel_not_found'
  | 'cumulative_amount_mismatch'
  | 'cumulative_below_claimed'
  | 'cumulative_exceeds_balance'
  | 'erc3009_authorization_required'
  | 'network_mismatch'
  | 'payload_type'
  | 'receiver_authorizer_mismatch'
  | 'receiver_mismatch'
  | 'refund_amount_invalid'
  | 'refund_no_balance'
  | 'scheme'
  | 'token_mismatch'
  | 'voucher_signature'
  | 'withdraw_delay_mismatch'
  | 'withdraw_delay_out_of_range';

export const reasonOf = <Fault extends ChannelFault>(fault: Fault) => `invalid_batch_settlement_evm_${fault}` as const;

/** What would pass, for reasons that official clients only show. Those that they compare are sent as they are. */
const SENTENCES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    payload_authorization_valid_after: 'validAfter must be at most now; 0 always passes',
    payload_authorization_valid_before: 'validBefore must be from now + 6 s to now + 3600 s',
  }).map(([fault, sentence]) => [`invalid_batch_settlement_evm_${fault}`, sentence]),
);

/** The reason for which a deposit was refused, with what would pass. */
export function explainDeposit(reason: string): string {
  const sentence = SENTENCES.get(reason);
  return sentence === undefined ? reason : `${reason}: ${sentence}`;
}
