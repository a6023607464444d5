import { createHash } from 'node:crypto';
import {
  type CallIdentifier,
  type ChannelAccount,
  type ChannelCharge,
  MAX_MICRO_USD,
  REFUND_OPERATION,
  type RefundHold,
} from '../contract/channels.ts';
import { type ChannelChargeOutcome, isIdentifierDenial, type RefundHoldOutcome } from '../contract/outcomes.ts';
import { readAccount } from './channel-account.ts';
import type { ChannelLedgerOptions } from './channel-options.ts';
import { callFunction } from './ledger-pool.ts';
import { readBigint, readOutcomes, readText } from './read-outcomes.ts';
import { createSettledBatch } from './settled-batch.ts';
import { createDurabilityProbe } from './status.ts';

const STATES = [
  'reserved',
  'posted',
  'repeated',
  'channel_not_found',
  'channel_busy',
  'cumulative_mismatch',
  'cumulative_below_claimed',
  'exceeds_balance',
  'deadline_passed',
  'unsettled',
  'identifier_reused',
  'identifier_pending',
  'conflict',
  'out_of_range',
  'again',
] as const;
type State = (typeof STATES)[number];

/** A refund of an operator has no voucher, so it settles no channel. */
export type StoredHold = Omit<RefundHold, 'signature'> & Partial<Pick<RefundHold, 'signature'>>;

type Ask = (ChannelCharge & { readonly kind: 'channel' }) | (StoredHold & { readonly kind: 'refund' });

interface Answer {
  readonly state: State;
  readonly heldMicroUsd: bigint | undefined;
  readonly chargeId: string | undefined;
  readonly account: ChannelAccount;
}

const MAX_ITEMS = 64;
/** Another transaction has a channel for the time of a batch. */
const MOST_ATTEMPTS = 20;

export function createCharge({ pool, network, cipher }: ChannelLedgerOptions) {
  const format = (ask: Ask) => {
    const voucher = ask.signature === undefined ? undefined : cipher.seal(ask.channelId, ask.signature);
    return {
      id: ask.reservationId,
      channel: ask.channelId,
      kind: ask.kind,
      cumulative: `${ask.cumulativeMicroUsd}`,
      signature: voucher?.sealed.toString('hex') ?? null,
      key_id: voucher?.keyId ?? null,
      repeat_key: ask.kind === 'channel' ? repeatKey(ask) : null,
      amount: ask.amountMicroUsd === undefined ? null : `${ask.amountMicroUsd}`,
      operation: ask.kind === 'channel' ? ask.operation : REFUND_OPERATION,
      deadline: new Date(ask.deadlineMs),
      ...(ask.kind === 'channel' && {
        signer: ask.identifier?.signer ?? null,
        identifier: ask.identifier?.hash ?? null,
        fingerprint: ask.fingerprint,
        is_new: ask.isNew ?? false,
      }),
    };
  };
  const add = createSettledBatch<Ask, Answer>({
    async send(asks) {
      const rows = await callFunction(pool, 'charge', [network, JSON.stringify(asks.map(format))]);
      return readOutcomes(rows, asks, STATES).map(({ state, row, item: { channelId } }) => ({
        state,
        heldMicroUsd: row['held'] === null ? undefined : readBigint(row['held']),
        chargeId: row['charge_id'] === null ? undefined : readText(row['charge_id']),
        account: readAccount(cipher, channelId, row),
      }));
    },
    keysOf: (ask) => [ask.reservationId, ask.channelId, ...identifierOf(ask)],
    maxItems: MAX_ITEMS,
  });
  const decide = async (ask: Ask): Promise<Answer & { readonly state: Exclude<State, 'out_of_range' | 'again'> }> => {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await add(ask);
      const { state } = answer;
      if (state === 'out_of_range') throw new RangeError(`the id ${ask.reservationId} is over a day from now`);
      if (state !== 'again') return { ...answer, state };
      if (attempt === MOST_ATTEMPTS) return { ...answer, state: 'channel_busy' };
    }
  };
  const probe = createDurabilityProbe(pool);
  return {
    /** @throws {RangeError} for an argument of another form */
    async charge(charge: ChannelCharge): Promise<ChannelChargeOutcome> {
      assertVoucher(charge);
      assertAmount(charge.amountMicroUsd);
      assertHash(charge.fingerprint);
      if (charge.holder !== undefined) assertHash(charge.holder);
      if (charge.identifier !== undefined) assertIdentifier(charge.identifier);
      if (charge.operation === REFUND_OPERATION)
        throw new RangeError(`${REFUND_OPERATION} is not an operation of a call`);
      const { state, account, chargeId } = await decide({ ...charge, kind: 'channel' });
      if (state !== 'repeated') return { state, account };
      if (chargeId === undefined) throw new TypeError('a repeated voucher has no charge');
      // The charge may not be on the standbys yet.
      await probe();
      return { state, account, reservationId: chargeId };
    },
    /** @throws {RangeError} for an argument of another form */
    async holdRefund(hold: StoredHold): Promise<RefundHoldOutcome> {
      assertVoucher(hold);
      if (hold.amountMicroUsd !== undefined) assertAmount(hold.amountMicroUsd);
      const { state, account, heldMicroUsd } = await decide({ ...hold, kind: 'refund' });
      if (state === 'repeated' || isIdentifierDenial(state)) throw new TypeError('a refund was answered as a call');
      if (state !== 'reserved') return { state, account };
      if (heldMicroUsd === undefined) throw new TypeError('a refund holds no amount');
      return { state, account, amountMicroUsd: heldMicroUsd };
    },
  };
}

/** What only the caller of the same request with the same voucher can send again. Null: nobody. */
function repeatKey({ cumulativeMicroUsd, signature, fingerprint, holder }: ChannelCharge): string | null {
  if (holder === undefined) return null;
  return createHash('sha256').update([cumulativeMicroUsd, signature, fingerprint, holder].join('\0')).digest('hex');
}

/** Calls with one identifier do not share a batch. */
const identifierOf = (ask: Ask): readonly string[] =>
  ask.kind === 'channel' && ask.identifier !== undefined ? [`${ask.identifier.signer} ${ask.identifier.hash}`] : [];

const ADDRESS = /^0x[0-9a-f]{40}$/;
const CHANNEL = /^0x[0-9a-f]{64}$/;
const SIGNATURE = /^0x[0-9a-f]{130}$/;
const HASH = /^[0-9a-f]{64}$/;

export function assertChannel(id: string): void {
  if (!CHANNEL.test(id)) throw new RangeError('a channel id is 0x and 64 hexadecimal digits in lower case');
}

function assertVoucher({
  channelId,
  cumulativeMicroUsd,
  signature,
}: Pick<StoredHold, 'channelId' | 'cumulativeMicroUsd' | 'signature'>): void {
  assertChannel(channelId);
  if (cumulativeMicroUsd < 0n || cumulativeMicroUsd > MAX_MICRO_USD)
    throw new RangeError(`voucher out of range: ${cumulativeMicroUsd} micro-USD`);
  if (signature !== undefined && !SIGNATURE.test(signature))
    throw new RangeError('the signature of a voucher is not 65 bytes in hex');
}

function assertIdentifier({ signer, hash }: CallIdentifier): void {
  if (!ADDRESS.test(signer)) throw new RangeError('a signer is 0x and 40 hexadecimal digits in lower case');
  assertHash(hash);
}

function assertHash(hash: string): void {
  if (!HASH.test(hash)) throw new RangeError('a hash of a voucher is not 32 bytes in hex');
}

export function assertAmount(microUsd: bigint): void {
  if (microUsd < 1n || microUsd > MAX_MICRO_USD) throw new RangeError(`amount out of range: ${microUsd} micro-USD`);
}
