/** Error reasons of the scheme `batch-settlement`. The official client knows some of them and shows the others. */
export type ChannelReason = `invalid_batch_settlement_evm_${ChannelFault}`;

type ChannelFault =
  | 'authorizer_address_mismatch'
  | 'channel_busy'
  | 'channel_id_invalid'
  | 'channel_id_mismatch'
  | 'channel_not_found'
  | 'cumulative_amount_mismatch'
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
