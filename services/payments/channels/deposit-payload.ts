import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import type { Hex } from 'viem';
import type { DepositRequest } from '../../../proto/gen/tollhouse/payments/v1/channels.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { Bytes32, NonEmptyBytes, toLowerHex } from '../payment/hex.ts';
import { parseJson } from '../payment/parse-json.ts';
import { type ChannelConfig, ConfigJson, readAmount, readBytes32, readConfig } from './channel-config.ts';

const Amount = Type.String({ pattern: '^(0|[1-9][0-9]{0,77})$' });

/** The parts of an x402 PaymentPayload of the type `deposit` that are used here. */
const Payload = Compile(
  Type.Object({
    accepted: Type.Object({ scheme: Type.String(), network: Type.String() }),
    payload: Type.Object({
      type: Type.Literal('deposit'),
      channelConfig: ConfigJson,
      voucher: Type.Object({ channelId: Bytes32, maxClaimableAmount: Amount, signature: NonEmptyBytes }),
      deposit: Type.Object({
        amount: Amount,
        authorization: Type.Object({
          erc3009Authorization: Type.Object({
            validAfter: Amount,
            validBefore: Amount,
            // The client sends 32 bytes. The contract reads a number.
            salt: Type.Unsafe<Hex>(Type.String({ pattern: '^0x[0-9a-fA-F]{1,64}$' })),
            signature: NonEmptyBytes,
          }),
        }),
      }),
    }),
  }),
);

export type VoucherAmount = Readonly<ReturnType<typeof readVoucher>>;
export type DepositPayload = Readonly<ReturnType<typeof readDepositPayload>>;

const RANGE = /^[0-9a-f]{64}$/;
const MAX_UINT256 = 2n ** 256n - 1n;

/**
 * Reads the deposit of a payment. Its configuration and its voucher must be those of the request.
 * @throws {ServiceError} INVALID_ARGUMENT
 */
export function readDepositPayload({ config, voucher, paymentJson, range }: DepositRequest) {
  const value = parseJson(paymentJson);
  if (!Payload.Check(value)) throw invalid('payment_json is not a payment of the type deposit by EIP-3009');
  const { accepted, payload } = value;
  const { validAfter, validBefore, salt, signature } = payload.deposit.authorization.erc3009Authorization;
  const { withdrawDelay, ...addresses } = payload.channelConfig;
  const paid = {
    scheme: accepted.scheme,
    network: accepted.network,
    config: readConfig({ ...addresses, withdrawDelaySeconds: BigInt(withdrawDelay) }),
    voucher: {
      channelId: toLowerHex(payload.voucher.channelId),
      maxClaimableAmount: readAmount(payload.voucher.maxClaimableAmount, 'amount of the voucher'),
      signature: toLowerHex(payload.voucher.signature),
    },
    amount: readAmount(payload.deposit.amount, 'amount of the deposit'),
    /** Unix seconds. */
    validAfter: BigInt(validAfter),
    validBefore: BigInt(validBefore),
    salt: toLowerHex(salt),
    signature: toLowerHex(signature),
    /** The address range that it was sent from, as a keyed hash; undefined where ranges are not bounded. */
    range,
  };
  if (range !== undefined && !RANGE.test(range)) throw invalid('the address range is not a hash');
  if (paid.validAfter > MAX_UINT256 || paid.validBefore > MAX_UINT256) throw invalid('a time is too large');
  const given = { config: readConfig(config), voucher: readVoucher(voucher) };
  if (textOf(given) !== textOf({ config: paid.config, voucher: paid.voucher })) {
    throw invalid('the payment has another configuration or voucher than the request');
  }
  return paid;
}

/** @throws {ServiceError} INVALID_ARGUMENT */
export function readVoucher(voucher: DepositRequest['voucher']) {
  if (voucher === undefined) throw invalid('the voucher is missing');
  const { channelId, maxClaimableAmount, signature } = voucher;
  if (!/^0x[0-9a-fA-F]{130}$/.test(signature)) throw invalid('the signature of the voucher is not 65 bytes');
  return {
    channelId: readBytes32(channelId, 'id of the channel'),
    maxClaimableAmount: readAmount(maxClaimableAmount, 'amount of the voucher'),
    signature: `0x${signature.slice(2).toLowerCase()}` as const,
  };
}

const textOf = ({ config: c, voucher: v }: { readonly config: ChannelConfig; readonly voucher: VoucherAmount }) =>
  [
    ...[c.payer, c.payerAuthorizer, c.receiver, c.receiverAuthorizer, c.token, c.withdrawDelay, c.salt],
    ...[v.channelId, v.maxClaimableAmount, v.signature],
  ].join();

const invalid = (fault: string) => new ServiceError('INVALID_ARGUMENT', fault);
