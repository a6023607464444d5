import type { Hex } from 'viem';
import { keccak256 } from '../../../services/platform/ethereum/keccak256.ts';
import { recoverAddress } from '../../../services/platform/ethereum/recover-address.ts';

const SIGNATURE_BYTES = 65;
/** The end of a signature by a contract that is not deployed yet (ERC-6492). */
const ERC6492_SUFFIX = '6492'.repeat(16);
const RECOVERY_IDS: ReadonlyMap<number, number> = new Map([
  [0, 0],
  [1, 1],
  [27, 0],
  [28, 1],
]);

/** A signature of an externally owned account, or one that only a contract can verify. */
export type Signature =
  | { readonly kind: 'account'; readonly rs: Buffer; readonly recoveryId: number }
  | { readonly kind: 'contract' };

/** Reads 65 bytes r, s, v in hexadecimal. Undefined for any other text, except one with the suffix of ERC-6492. */
export function parseSignature(text: string): Signature | undefined {
  if (!/^0x(?:[0-9a-f]{2})+$/i.test(text)) return undefined;
  if (text.toLowerCase().endsWith(ERC6492_SUFFIX)) return { kind: 'contract' };
  const bytes = Buffer.from(text.slice(2), 'hex');
  if (bytes.length !== SIGNATURE_BYTES) return undefined;
  const recoveryId = RECOVERY_IDS.get(bytes.readUInt8(SIGNATURE_BYTES - 1));
  if (recoveryId === undefined) return undefined;
  return { kind: 'account', rs: bytes.subarray(0, 64), recoveryId };
}

/** The hash that `personal_sign` signs (EIP-191, version 0x45). */
function hashMessage(message: string): Uint8Array {
  const bytes = Buffer.from(message);
  const prefix = Buffer.from(`\x19Ethereum Signed Message:\n${bytes.length}`);
  return keccak256(Buffer.concat([prefix, bytes]));
}

/** The checksummed address of the account that signed a message. Undefined if no account can have signed it. */
export function recoverSigner(
  message: string,
  signature: { readonly rs: Buffer; readonly recoveryId: number },
): Hex | undefined {
  return recoverAddress(hashMessage(message), signature);
}
