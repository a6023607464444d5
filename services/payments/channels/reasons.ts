/** Error reasons of the scheme `batch-settlement` that are answered here, without their prefix. */
export type Reason =
  | 'scheme'
  | 'network_mismatch'
  | 'channel_id_mismatch'
  | 'receiver_mismatch'
  | 'receiver_authorizer_mismatch'
  | 'token_mismatch'
  | 'withdraw_delay_mismatch'
  | 'deposit_below_min_deposit'
  | 'payload_authorization_valid_after'
  | 'payload_authorization_valid_before'
  | 'receive_authorization_signature'
  | 'voucher_signature'
  | 'insufficient_balance'
  | 'cumulative_exceeds_balance'
  | 'cumulative_below_claimed'
  | 'deposit_simulation_failed'
  | 'deposit_transaction_failed'
  | 'claim_transaction_failed'
  | 'refund_simulation_failed'
  | 'refund_no_balance'
  | 'refund_amount_invalid'
  | 'too_much_gas_today'
  | 'too_many_failures'
  | 'channel_busy';

export const reasonOf = (reason: Reason): string => `invalid_batch_settlement_evm_${reason}`;
