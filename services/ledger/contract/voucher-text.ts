/** A voucher as the ledger keeps it: where a reservation of a wallet has its nonce. */
export interface KeptVoucher {
  /** `maxClaimableAmount`. */
  readonly cumulativeMicroUsd: bigint;
  /** Hexadecimal in lower case with 0x. */
  readonly signature: string;
  /** SHA-256 of the request that it pays, in hex; absent for a refund. */
  readonly fingerprint?: string | undefined;
  /** SHA-256, in hex, of what only the payer knows; absent: nothing. */
  readonly holder?: string | undefined;
}

const VOUCHER = /^(\d+):([0-9a-f]*):([0-9a-f]*):([0-9a-f]+)$/;
const HASH = /^[0-9a-f]{64}$/;
const SIGNATURE = /^0x[0-9a-f]{130}$/;

/** @throws {RangeError} for a part of another form */
export function voucherText({ cumulativeMicroUsd, signature, fingerprint, holder }: KeptVoucher): string {
  if (!SIGNATURE.test(signature)) throw new RangeError('the signature of a voucher is not 65 bytes in hex');
  for (const hash of [fingerprint, holder]) {
    if (hash !== undefined && !HASH.test(hash)) throw new RangeError('a hash of a voucher is not 32 bytes in hex');
  }
  return [cumulativeMicroUsd, fingerprint, holder, signature.slice(2)].join(':');
}

/** @returns undefined for text of another form */
export function parseVoucher(text: string): KeptVoucher | undefined {
  const [, cumulative, fingerprint, holder, signature] = VOUCHER.exec(text) ?? [];
  if (cumulative === undefined || signature === undefined) return undefined;
  return {
    cumulativeMicroUsd: BigInt(cumulative),
    signature: `0x${signature}`,
    fingerprint: fingerprint || undefined,
    holder: holder || undefined,
  };
}
