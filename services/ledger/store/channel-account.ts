import type { ChannelAccount } from '../contract/channels.ts';
import { type Row, readBigint, readText } from './read-outcomes.ts';
import type { VoucherCipher } from './voucher-cipher.ts';

/** An account as the functions answer it. The signature is opened when it is read. */
export function readAccount(cipher: VoucherCipher, channelId: string, row: Row): ChannelAccount {
  const [funded, charged, reserved] = [
    readBigint(row['funded']),
    readBigint(row['charged']),
    readBigint(row['reserved']),
  ];
  const { signature } = row;
  return {
    fundedMicroUsd: funded,
    balanceMicroUsd: funded - charged - reserved,
    reservedMicroUsd: reserved,
    chargedMicroUsd: charged,
    voucher: signature === null ? undefined : readVoucher(cipher, channelId, row),
  };
}

function readVoucher(cipher: VoucherCipher, channelId: string, row: Row): ChannelAccount['voucher'] {
  const { signature: sealed } = row;
  if (!Buffer.isBuffer(sealed)) throw new TypeError('the ledger answered no signature');
  const keyId = readText(row['key_id']);
  return {
    cumulativeMicroUsd: readBigint(row['signed']),
    get signature() {
      return cipher.open(channelId, { sealed, keyId });
    },
  };
}
