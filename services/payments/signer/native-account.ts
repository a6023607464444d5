import { type Hex, serializeTransaction, type TransactionSerializableEIP1559 } from 'viem';
import { keccak256 } from '../../platform/ethereum/keccak256.ts';
import { createSigningKey } from '../../platform/ethereum/signing-key.ts';

export type Account = ReturnType<typeof createAccount>;

const digestOf = (hex: Hex): Uint8Array => keccak256(Buffer.from(hex.slice(2), 'hex'));

/** The hash of a signed transaction. */
export const hashOf = (serialized: Hex): Hex => `0x${Buffer.from(digestOf(serialized)).toString('hex')}`;

/** Signs transactions. */
export function createAccount(privateKey: Hex) {
  const key = createSigningKey(privateKey);
  return {
    address: key.address,
    sign: (transaction: TransactionSerializableEIP1559): Hex =>
      serializeTransaction(transaction, key.sign(digestOf(serializeTransaction(transaction)))),
  };
}
