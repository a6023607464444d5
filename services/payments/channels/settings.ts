import { type Static, Type } from 'typebox';
import { bytesToHex, type Hex } from 'viem';
import { type KeptKey, readKeptKey } from '../../platform/process/secret-file.ts';
import { Bytes32 } from '../payment/hex.ts';

const BATCH = 'exact,batch-settlement';
const MAX_DEPOSIT = 1_000_000_000_000;

/** Settings of payment channels (x402 scheme `batch-settlement`). */
export const ChannelEnvironment = {
  X402_SCHEMES: Type.Union([Type.Literal('exact'), Type.Literal(BATCH)], {
    default: BATCH,
    description:
      'exact, or exact,batch-settlement. The latter is offered with X402_SIGNER_KEY and X402_RECEIVER_AUTHORIZER_KEY, and in the sandbox; a remote facilitator has exact only',
  }),
  X402_RECEIVER_AUTHORIZER_KEY: Type.Optional(
    Type.Unsafe<Hex>({
      ...Bytes32,
      description:
        'private key that signs claims and refunds of channels. Never change it while channels are open. The sandbox keeps one in the data folder',
    }),
  ),
  X402_WITHDRAW_DELAY_S: Type.Integer({
    default: 86_400,
    minimum: 900,
    maximum: 2_592_000,
    description:
      'seconds from the start of a withdrawal until a payer may take its deposit back by itself. What is not claimed by then is lost, so it must be longer than any outage. Channels keep the delay with which they were opened',
  }),
  X402_MIN_DEPOSIT: Type.Integer({
    default: 140_000,
    minimum: 1,
    maximum: MAX_DEPOSIT,
    description: 'smallest deposit of a channel in atomic units; ten calls of the dearest operation by default',
  }),
} as const;

const Environment = Type.Object(ChannelEnvironment);

export interface ChannelSettings {
  /** Whether new deposits are accepted. What was charged is claimed in any case. */
  readonly isOffered: boolean;
  readonly authorizerKey: Hex | KeptKey;
  readonly withdrawDelaySeconds: number;
  /** Atomic units. */
  readonly minDeposit: bigint;
}

/** @returns undefined without a key that signs claims */
export function readChannelSettings(
  values: Static<typeof Environment>,
  { kind, dataFolder }: { readonly kind: 'facilitator' | 'signer' | 'sandbox'; readonly dataFolder: string },
): ChannelSettings | undefined {
  if (kind === 'facilitator') return undefined;
  const name = 'X402_RECEIVER_AUTHORIZER_KEY';
  const kept =
    kind === 'sandbox' ? { name, path: `${dataFolder}/keys/receiver-authorizer`, mayCreate: true } : undefined;
  const authorizerKey = values[name] ?? kept;
  if (authorizerKey === undefined) return undefined;
  return {
    isOffered: values.X402_SCHEMES === BATCH,
    authorizerKey,
    withdrawDelaySeconds: values.X402_WITHDRAW_DELAY_S,
    minDeposit: BigInt(values.X402_MIN_DEPOSIT),
  };
}

/** Reads the key. The sandbox creates it at first use. */
export const readAuthorizerKey = ({ authorizerKey: key }: ChannelSettings): Hex =>
  typeof key === 'string' ? key : bytesToHex(readKeptKey(key));
