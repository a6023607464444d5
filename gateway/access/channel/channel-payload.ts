import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import type { ChannelConfig } from '../../../services/payments/contract/channel-ids.ts';
import { isRecord } from '../../../services/platform/is-record.ts';
import { type CompiledSchema, describeSchemaFault } from '../../../services/platform/schema-fault.ts';
import { AppError } from '../../errors/app-error.ts';
import { type ChannelReason, reasonOf } from './channel-reason.ts';

/** A payment of the scheme `batch-settlement`, well formed and not verified yet. Hexadecimal is in lower case. */
export interface ChannelPayload {
  /** What the payer accepted, as far as it decides. */
  readonly accepted: Static<typeof Accepted>;
  readonly config: ChannelConfig;
  readonly channelId: string;
  /** `maxClaimableAmount` of the voucher. */
  readonly cumulativeMicroUsd: bigint;
  /** Any number of bytes. */
  readonly signature: string;
  readonly intent:
    | { readonly type: 'voucher' | 'deposit' }
    /** Without an amount: all that is left. */
    | { readonly type: 'refund'; readonly amountMicroUsd?: bigint };
}

type Payload = Readonly<Record<string, unknown>>;
export type ReadPayload = { readonly payload: ChannelPayload } | { readonly refused: ChannelReason };

const Address = Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' });
const Bytes32 = Type.String({ pattern: '^0x[0-9a-fA-F]{64}$' });
const Bytes = Type.String({ pattern: '^0x([0-9a-fA-F]{2})+$' });
/** The longest decimal text of a uint128 has 39 digits. */
const Amount = Type.String({ pattern: '^(0|[1-9][0-9]{0,38})$' });
/** For what is signed. Elsewhere unknown members are ignored. */
const strict = { additionalProperties: false } as const;
/** A member that another type of payment has. */
const Absent = Type.Optional(Type.Null());

const Accepted = Type.Object({
  scheme: Type.Literal('batch-settlement'),
  network: Type.String(),
  amount: Type.String(),
  asset: Type.String(),
  payTo: Type.String(),
  maxTimeoutSeconds: Type.Number(),
});
const Config = Type.Object(
  {
    payer: Address,
    payerAuthorizer: Address,
    receiver: Address,
    receiverAuthorizer: Address,
    token: Address,
    withdrawDelay: Type.Integer({ minimum: 0, maximum: 2 ** 40 - 1 }),
    salt: Bytes32,
  },
  strict,
);
const Voucher = Type.Object({ channelId: Type.String(), maxClaimableAmount: Amount, signature: Bytes }, strict);
const common = { channelConfig: Config, voucher: Voucher };
const Authorization = Type.Object({ validAfter: Amount, validBefore: Amount, salt: Bytes32, signature: Bytes }, strict);
const VoucherPayload = Type.Object({
  type: Type.Literal('voucher'),
  ...common,
  deposit: Absent,
  amount: Absent,
  claims: Absent,
});
const DepositPayload = Type.Object({
  type: Type.Literal('deposit'),
  ...common,
  deposit: Type.Object({
    amount: Amount,
    authorization: Type.Object({ erc3009Authorization: Authorization, permit2Authorization: Absent }),
  }),
  amount: Absent,
  claims: Absent,
});
const RefundPayload = Type.Object({
  type: Type.Literal('refund'),
  ...common,
  deposit: Absent,
  amount: Type.Optional(Type.Union([Amount, Type.Null()])),
  claims: Absent,
});

const accepted = Compile(Accepted);
const voucher = Compile(VoucherPayload);
const deposit = Compile(DepositPayload);
const refund = Compile(RefundPayload);

const MAX_UINT128 = 2n ** 128n - 1n;
const CHANNEL_ID = /^0x[0-9a-fA-F]{64}$/;

/** Whether a payment says that it is of the scheme `batch-settlement`. */
export const isChannelPayment = ({ accepted: offer }: Payload): boolean =>
  isRecord(offer) && offer['scheme'] === 'batch-settlement';

/**
 * Reads an x402 `PaymentPayload` of version 2.
 * @throws {AppError} MALFORMED_PAYMENT
 */
export function readChannelPayload({ accepted: offer, payload }: Payload): ReadPayload {
  if (!isRecord(offer)) throw malformed('accepted must be an object');
  // The payer echoes other fields too, such as `extra`. What must match of them is in the configuration.
  const known = pick(offer, Object.keys(Accepted.properties));
  assertForm(accepted, known, 'accepted');
  if (!isRecord(payload)) throw malformed('payload must be an object');
  const { type } = payload;
  if (typeof type !== 'string') throw malformed('payload.type is required');
  if (type === 'voucher') {
    assertForm(voucher, payload, 'payload');
    return toPayload(known, payload, { type });
  }
  if (type === 'deposit') {
    if (isDepositOtherwise(payload)) return { refused: reasonOf('erc3009_authorization_required') };
    assertForm(deposit, payload, 'payload');
    toUint128('payload.deposit.amount', payload.deposit.amount);
    return toPayload(known, payload, { type });
  }
  if (type === 'refund') {
    assertForm(refund, payload, 'payload');
    const { amount } = payload;
    return toPayload(known, payload, {
      type,
      ...(typeof amount === 'string' && { amountMicroUsd: toUint128('payload.amount', amount) }),
    });
  }
  return { refused: reasonOf('payload_type') };
}

/** Whether a deposit is authorized in another way than by EIP-3009, such as Permit2. */
function isDepositOtherwise({ deposit: sent }: Payload): boolean {
  const authorization = isRecord(sent) ? sent['authorization'] : undefined;
  return isRecord(authorization) && (authorization['erc3009Authorization'] ?? undefined) === undefined;
}

function toPayload(
  known: Static<typeof Accepted>,
  {
    channelConfig,
    voucher: { channelId, maxClaimableAmount, signature },
  }: Static<typeof VoucherPayload | typeof DepositPayload | typeof RefundPayload>,
  intent: ChannelPayload['intent'],
): ReadPayload {
  const cumulativeMicroUsd = toUint128('payload.voucher.maxClaimableAmount', maxClaimableAmount);
  if (cumulativeMicroUsd === 0n && intent.type !== 'refund') throw malformed('payload.voucher is for nothing');
  if (!CHANNEL_ID.test(channelId)) return { refused: reasonOf('channel_id_invalid') };
  const { withdrawDelay: withdrawDelaySeconds, ...hex } = channelConfig;
  const config = {
    payer: hex.payer.toLowerCase(),
    payerAuthorizer: hex.payerAuthorizer.toLowerCase(),
    receiver: hex.receiver.toLowerCase(),
    receiverAuthorizer: hex.receiverAuthorizer.toLowerCase(),
    token: hex.token.toLowerCase(),
    withdrawDelaySeconds,
    salt: hex.salt.toLowerCase(),
  };
  const lower = { channelId: channelId.toLowerCase(), signature: signature.toLowerCase() };
  return { payload: { accepted: known, config, cumulativeMicroUsd, intent, ...lower } };
}

interface Form<Value> extends CompiledSchema {
  Check(value: unknown): value is Value;
}

function assertForm<Value>(form: Form<Value>, value: unknown, where: string): asserts value is Value {
  if (!form.Check(value)) throw malformed(`${where}: ${describeSchemaFault(form, value) ?? 'is malformed'}`);
}

function toUint128(where: string, amount: string): bigint {
  const value = BigInt(amount);
  if (value > MAX_UINT128) throw malformed(`${where} must be less than 2^128`);
  return value;
}

function pick(value: Payload, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => name in value).map((name) => [name, value[name]]));
}

const malformed = (message: string) => new AppError('MALFORMED_PAYMENT', message);
