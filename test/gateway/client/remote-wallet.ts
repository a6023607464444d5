import { Type } from 'typebox';
import { createJsonReader } from '../../../scripts/launch/parse/json-reader.ts';
import { TRANSFER_TYPES } from '../../../services/payments/contract/transfer-types.ts';
import { Address, Bytes32 } from '../../../services/payments/payment/hex.ts';
import type { Wallet } from '../../kit/chain.ts';

const Wire = Type.Union([
  Type.Object({ message: Type.String() }),
  Type.Object({
    domain: Type.Object({
      name: Type.String(),
      version: Type.String(),
      chainId: Type.Number(),
      verifyingContract: Address,
    }),
    message: Type.Object({
      from: Address,
      to: Address,
      value: Type.String(),
      validAfter: Type.String(),
      validBefore: Type.String(),
      nonce: Bytes32,
    }),
  }),
]);
const readWire = createJsonReader(Wire, 'what is signed');

/** Signs a message or a payment for a program without packages. Its JSON has integers as strings. */
export function signText(wallet: Wallet, text: string): Promise<string> {
  const data = readWire(text);
  if (!('domain' in data)) return wallet.signMessage(data);
  const { value, validAfter, validBefore, ...message } = data.message;
  return wallet.signTypedData({
    domain: data.domain,
    types: TRANSFER_TYPES,
    primaryType: 'TransferWithAuthorization',
    message: { ...message, value: BigInt(value), validAfter: BigInt(validAfter), validBefore: BigInt(validBefore) },
  });
}
