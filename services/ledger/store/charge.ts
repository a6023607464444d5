import { createHash } from 'node:crypto';
import type {
  ChannelAccount,
  ChannelCharge,
  ContractState,
  HoldRefundRequest,
  Voucher,
} from '../../../proto/gen/tollhouse/ledger/v1/ledger.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { REFUND_OPERATION } from '../contract/channels.ts';
import {
  CHARGE_STATES,
  type ChannelChargeOutcome,
  HOLD_STATES,
  type RefundHoldOutcome,
  readState,
} from '../contract/outcomes.ts';
import { callFunction } from './ledger-pool.ts';
import { itemCall, type LedgerPlace, type Row, readBigint, readItems, readText } from './read-outcomes.ts';
import { createSettledBatch } from './settled-batch.ts';
import { createDurabilityProbe } from './status.ts';
import type { VoucherCipher } from './voucher-cipher.ts';

export interface ChannelLedgerOptions extends LedgerPlace {
  readonly cipher: VoucherCipher;
}

/** A refund of an operator has no voucher, so it settles no channel. */
export type StoredHold = Omit<HoldRefundRequest, 'signature'> & Partial<Pick<HoldRefundRequest, 'signature'>>;

type Ask = (ChannelCharge & { readonly kind: 'channel' }) | (StoredHold & { readonly kind: 'refund' });

/** Another transaction has a channel for the time of a batch. */
const MOST_ATTEMPTS = 20;

export type ChannelLedger = ReturnType<typeof createChannelLedger>;

/** What channels were charged. A call is posted or voided as a trial is, and a refund is voided when it has ended. */
export function createChannelLedger({ cipher, ...place }: ChannelLedgerOptions) {
  const call = itemCall(place, {
    name: 'charge',
    states: [...CHARGE_STATES, 'out_of_range', 'again'],
    format: (ask: Ask) => formatAsk(cipher, ask),
  });
  const add = createSettledBatch({ send: call, keysOf });
  const decide = async (ask: Ask) => {
    for (let attempt = 1; ; attempt += 1) {
      const { state, row } = await add(ask);
      if (state === 'out_of_range')
        throw new ServiceError('INVALID_ARGUMENT', `the id ${ask.reservationId} is over a day from now`);
      const account = readAccount(cipher, ask.channelId, row);
      if (state !== 'again') return { state, row, account };
      if (attempt === MOST_ATTEMPTS) return { state: 'channel_busy', row, account } as const;
    }
  };
  const probe = createDurabilityProbe(place.pool);
  return {
    /**
     * Reserves the price of a call. A repeat with the same id may reserve again if the first one was voided.
     * @throws {ServiceError} INVALID_ARGUMENT for an id of another day
     */
    async charge(charge: ChannelCharge): Promise<ChannelChargeOutcome> {
      const { state, row, account } = await decide({ ...charge, kind: 'channel' });
      if (state !== 'repeated') return { state, account };
      // The charge may not be on the standbys yet.
      await probe();
      return { state, account, repeatedId: readText(row['charge_id']) };
    },
    /** Sets credit aside that will be returned on the chain. @throws {ServiceError} as `charge` does */
    async holdRefund(hold: StoredHold): Promise<RefundHoldOutcome> {
      const { state: found, row, account } = await decide({ ...hold, kind: 'refund' });
      const state = readState(HOLD_STATES, found);
      return state === 'reserved' ? { state, account, amountMicroUsd: readBigint(row['held']) } : { state, account };
    },
    /** The accounts in the order of the ids. A channel that is not known has nothing. */
    async channels(ids: readonly string[]): Promise<readonly ChannelAccount[]> {
      if (ids.length === 0) return [];
      const rows = await callFunction(place.pool, 'channels', [place.network, JSON.stringify(ids)]);
      return readItems(rows, ids).map(({ row, item }) => readAccount(cipher, item, row));
    },
  };
}

/** Calls with one identifier do not share a batch. */
function keysOf(ask: Ask): readonly string[] {
  const identifier = ask.kind === 'channel' ? ask.identifier : undefined;
  return [ask.reservationId, ask.channelId, ...(identifier ? [`${identifier.signer} ${identifier.hash}`] : [])];
}

function formatAsk(cipher: VoucherCipher, ask: Ask) {
  const voucher = ask.signature === undefined ? undefined : cipher.seal(ask.channelId, ask.signature);
  return {
    id: ask.reservationId,
    channel: ask.channelId,
    kind: ask.kind,
    cumulative: `${ask.cumulativeMicroUsd}`,
    signature: voucher?.sealed.toString('hex'),
    key_id: voucher?.keyId,
    amount: ask.amountMicroUsd?.toString(),
    operation: ask.kind === 'channel' ? ask.operation : REFUND_OPERATION,
    deadline: new Date(ask.deadlineMs),
    ...(ask.kind === 'channel' && {
      repeat_key: repeatKey(ask),
      signer: ask.identifier?.signer,
      identifier: ask.identifier?.hash,
      fingerprint: ask.fingerprint,
      is_new: ask.isNew,
    }),
  };
}

/** What only the caller of the same request with the same voucher can send again. Undefined: nobody. */
function repeatKey({ cumulativeMicroUsd, signature, fingerprint, holder }: ChannelCharge): string | undefined {
  if (holder === undefined) return undefined;
  const parts = [cumulativeMicroUsd, signature, fingerprint, holder.toString('hex')];
  return createHash('sha256').update(parts.join('\0')).digest('hex');
}

function readAccount(cipher: VoucherCipher, channelId: string, row: Row): ChannelAccount {
  const [fundedMicroUsd, chargedMicroUsd, reservedMicroUsd] = [
    readBigint(row['funded']),
    readBigint(row['charged']),
    readBigint(row['reserved']),
  ];
  return {
    fundedMicroUsd,
    balanceMicroUsd: fundedMicroUsd - chargedMicroUsd - reservedMicroUsd,
    reservedMicroUsd,
    chargedMicroUsd,
    voucher: row['signature'] === null ? undefined : readVoucher(cipher, channelId, row),
    contract: row['balance'] === null ? undefined : readContract(row),
  };
}

const readContract = (row: Row): ContractState => ({
  balance: readBigint(row['balance']),
  totalClaimed: readBigint(row['total_claimed']),
  refundNonce: readBigint(row['refund_nonce']),
  withdrawRequestedAtS: readBigint(row['withdraw_requested_at_s']),
});

/** The signature is opened when it is read. */
function readVoucher(cipher: VoucherCipher, channelId: string, row: Row): Voucher {
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
