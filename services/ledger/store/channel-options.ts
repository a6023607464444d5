import type pg from 'pg';
import type { VoucherCipher } from './voucher-cipher.ts';

export interface ChannelLedgerOptions {
  readonly pool: pg.Pool;
  /** CAIP-2. */
  readonly network: string;
  readonly cipher: VoucherCipher;
}
