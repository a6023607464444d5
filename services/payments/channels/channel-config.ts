import { type Static, Type } from 'typebox';
import { getAddress, type Hex } from 'viem';
import type { ChannelConfig as WireConfig } from '../../../proto/gen/tollhouse/payments/v1/channels.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { Address, Bytes32, isBytes32, isHexAddress, toLowerHex } from '../payment/hex.ts';

/** The EIP-712 type ChannelConfig as JSON. */
export const ConfigJson = Type.Object({
  payer: Address,
  payerAuthorizer: Address,
  receiver: Address,
  receiverAuthorizer: Address,
  token: Address,
  withdrawDelay: Type.Integer({ minimum: 0 }),
  salt: Bytes32,
});
/** Addresses are checksummed, the delay is in seconds, and the salt is in lower case. */
export type ChannelConfig = Readonly<Static<typeof ConfigJson>>;

const MAX_UINT40 = 2n ** 40n - 1n;

/** @throws {ServiceError} INVALID_ARGUMENT */
export function readConfig(wire: WireConfig | undefined): ChannelConfig {
  if (wire === undefined) throw new ServiceError('INVALID_ARGUMENT', 'the configuration of the channel is missing');
  const { payer, payerAuthorizer, receiver, receiverAuthorizer, token, withdrawDelaySeconds, salt } = wire;
  if (withdrawDelaySeconds > MAX_UINT40) throw new ServiceError('INVALID_ARGUMENT', 'the withdrawal delay is too long');
  return {
    payer: readAddress(payer),
    payerAuthorizer: readAddress(payerAuthorizer),
    receiver: readAddress(receiver),
    receiverAuthorizer: readAddress(receiverAuthorizer),
    token: readAddress(token),
    withdrawDelay: Number(withdrawDelaySeconds),
    salt: readBytes32(salt, 'salt'),
  };
}

/** @throws {ServiceError} INVALID_ARGUMENT */
export function readBytes32(text: string, name: string): Hex {
  if (!isBytes32(text)) throw new ServiceError('INVALID_ARGUMENT', `the ${name} is not 32 bytes with 0x`);
  return toLowerHex(text);
}

const MAX_UINT128 = 2n ** 128n - 1n;

/** Reads an amount of atomic units. @throws {ServiceError} INVALID_ARGUMENT */
export function readAmount(text: string, name: string): bigint {
  const amount = /^(0|[1-9]\d{0,38})$/.test(text) ? BigInt(text) : undefined;
  if (amount === undefined || amount > MAX_UINT128)
    throw new ServiceError('INVALID_ARGUMENT', `the ${name} is not an amount`);
  return amount;
}

function readAddress(text: string): Hex {
  if (!isHexAddress(text)) throw new ServiceError('INVALID_ARGUMENT', 'an address of the channel is malformed');
  return getAddress(text);
}
