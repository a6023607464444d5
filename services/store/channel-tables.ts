export interface ChannelTables {
  /** The highest voucher of each channel whose call was retained. */
  channel_voucher: {
    channel_id: string;
    cumulative_micro_usd: bigint;
    /** 65 bytes. */
    signature: Buffer;
    record_id: string;
    unclaimed_since: Date;
    /** The claimed total that the contract showed last. */
    claimed_micro_usd: bigint;
  };
}
