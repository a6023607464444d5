import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { getAddress, type Hex } from 'viem';
import { LedgerUnavailableError } from '../../ledger/contract/ledger.ts';
import { callFunction } from '../../ledger/store/ledger-pool.ts';
import { type Row, readBigint, readDate, readItems, readOutcomes, readText } from '../../ledger/store/read-outcomes.ts';
import { createSettledBatch } from '../../ledger/store/settled-batch.ts';
import { createDurabilityProbe } from '../../ledger/store/status.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { Address, Bytes32, toLowerHex } from '../payment/hex.ts';
import {
  type Attempt,
  CLAIM_STATES,
  type Claim,
  type ClaimDetails,
  type ClaimRef,
  type Claims,
  type Found,
  type IdentifiedCall,
  type Opened,
  type OpenOptions,
  type PayerState,
  type PaymentKey,
  type Result,
  type StartOutcome,
} from './claims.ts';
import type { ClaimsGate } from './claims-gate.ts';

const MAX_FAILURES_AN_HOUR = 5;
/** With a known balance, the sum of the amounts is the limit and this bounds the list. */
const MAX_OPEN = 256;
/** Without a known balance, this is the only limit. */
const MAX_OPEN_UNSEEN = 16;
const TERMS = JSON.stringify({
  failures_per_hour: MAX_FAILURES_AN_HOUR,
  max_open: MAX_OPEN,
  max_open_unseen: MAX_OPEN_UNSEEN,
});
/** Callers that wait for one payment or identifier, in this process. */
const MAX_WAITING = 8;
const RELEASE_AGAIN_MS = 50;
const MAX_ITEMS = 64;
/** Executions that are deleted by one statement. */
const MAX_DROPPED = 100n;

export interface PostgresClaimsOptions {
  readonly pool: pg.Pool;
  /** CAIP-2. */
  readonly network: string;
  readonly asset: Hex;
  /** Whether a settlement is noted before it is sent, and the chain can be asked about it. */
  readonly hasChain: boolean;
  readonly gate: Pick<ClaimsGate, 'admit' | 'guard' | 'watch'>;
}

/** Creates the claims of a network. Calls that come together are one statement. */
export function createPostgresClaims({ pool, network, asset, hasChain, gate }: PostgresClaimsOptions): Claims {
  const token = toLowerHex(asset);
  const ask = (name: string, values: readonly unknown[]) => callFunction(pool, name, [network, ...values]);

  const find = batched<Sought, Found>(async (sought) =>
    readItems(await ask('find_claims', [token, JSON.stringify(sought)]), sought).map(({ row }) => ({
      claim: readClaim(row['claim']),
      payer: readPayer(row),
    })),
  );
  const findById = batched<string, Claim | undefined>(async (ids) =>
    readItems(await ask('find_claims_by_id', [ids]), ids).map(({ row }) => readClaim(row['claim'])),
  );
  const findCall = batched<{ signer: Hex; identifier: string }, IdentifiedCall | undefined>(async (keys) =>
    readItems(await ask('find_calls', [JSON.stringify(keys)]), keys).map(({ row }) => readCall(row)),
  );
  const open = batched<{ details: ClaimDetails; options: OpenOptions }, Opened>(async (openings) => {
    const rows = await gate.guard(ask('open_claims', [token, TERMS, JSON.stringify(openings.map(formatOpening))]));
    return readOutcomes(rows, openings, OPENED).map(({ state, row }) =>
      state === 'short' ? { inFlight: BigInt(readText(row['in_flight'])) } : state,
    );
  });
  const release = batched<{ id: string; is_callers_fault: boolean }, (typeof RELEASED)[number]>(async (releases) =>
    readOutcomes(await ask('release_claims', [JSON.stringify(releases)]), releases, RELEASED).map(({ state }) => state),
  );
  const start = batched<{ id: string; attempt: string; lease_ms: number }, StartOutcome>(async (attempts) => {
    const rows = await gate.watch(ask('start_settling', [JSON.stringify(attempts), !hasChain]));
    return readOutcomes(rows, attempts, STARTED).map(({ state, row }) => readStarted(state, row));
  });
  const note = batched<Note, boolean>(async (notes) =>
    readOutcomes(await gate.watch(ask('note_transactions', [JSON.stringify(notes)])), notes, NOTED).map(
      ({ state }) => state === 'noted',
    ),
  );
  const finishAs = (isDurable: boolean) =>
    batched<Finish, boolean>(async (results) => {
      const rows = await ask('finish_claims', [JSON.stringify(results), isDurable]);
      const finished = readOutcomes(rows, results, FINISHED);
      // A commit that does not wait for the disk has counted them.
      const payers = isDurable
        ? finished.flatMap(({ state, item }) => (state === 'finished' && item.is_payers_fault ? [item.payer] : []))
        : [];
      if (payers.length > 0) await ask('count_failures', [payers]);
      return finished.map(({ state }) => state === 'finished');
    });
  const finish = { durably: finishAs(true), soon: finishAs(false) };
  const probe = createDurabilityProbe(pool);
  const waiting = new Map<string, number>();

  return {
    find: (key) => find(keyOf(key)),
    findById,
    findCall: (payer, identifier) => findCall({ signer: toLowerHex(payer), identifier }),
    sync: () => answered(probe),
    admit: gate.admit,
    payerState: async (payer) => (await find({ payer: toLowerHex(payer), nonce: null })).payer,
    countFailure: (payer) => answered(async () => void (await ask('count_failures', [[toLowerHex(payer)]]))),
    open: (details, options) => open({ details, options }),
    async release({ claimId }, isCausedByCaller) {
      const item = { id: claimId, is_callers_fault: isCausedByCaller };
      while ((await release(item)) === 'busy') await sleep(RELEASE_AGAIN_MS);
    },
    startSettling: ({ claimId }, { attemptId, leaseMs }: Attempt) =>
      start({ id: claimId, attempt: attemptId, lease_ms: leaseMs }),
    noteTransaction: ({ claimId }, attemptId, transaction, { signer, nonce }) =>
      note({
        id: claimId,
        attempt: attemptId,
        transaction: toLowerHex(transaction),
        signer: toLowerHex(signer),
        nonce,
      }),
    finish(claim, attemptId, result) {
      // The payer gets the result: if the chain loses the settlement, it must be known that there was one.
      const isDurable = result.state === 'settled' || !hasChain;
      return (isDurable ? finish.durably : finish.soon)({
        ...formatResult(claim, attemptId, result),
        // Without a chain, nobody here notices that a settlement is gone.
        has_ended: result.state === 'failed' || (result.state === 'settled' && !hasChain),
      });
    },
    takeDue: (limit) =>
      answered(async () => (await ask('take_due_claims', [limit])).map((row) => readText(row['claim_id']))),
    async dropExecutions(signal) {
      for (let dropped = MAX_DROPPED; dropped === MAX_DROPPED && !signal.aborted; ) {
        const [row] = await answered(() => ask('drop_executions', [MAX_DROPPED]));
        dropped = readBigint(row?.['dropped']);
      }
    },
    enterQueues(keys) {
      if (keys.some((key) => (waiting.get(key) ?? 0) >= MAX_WAITING)) return undefined;
      for (const key of keys) waiting.set(key, (waiting.get(key) ?? 0) + 1);
      return () => {
        for (const key of keys) {
          const left = (waiting.get(key) ?? 1) - 1;
          if (left === 0) waiting.delete(key);
          else waiting.set(key, left);
        }
      };
    },
  };
}

/**
 * Groups calls. One whose answer is lost is repeated once: each has the same effect and answer again.
 * @throws {ServiceError} PAYMENT_UNAVAILABLE
 */
function batched<Item, Answer>(send: (items: readonly Item[]) => Promise<readonly Answer[]>) {
  const add = createSettledBatch<Item, Answer>({ send, maxItems: MAX_ITEMS });
  return (item: Item): Promise<Answer> =>
    answered(() =>
      add(item).catch((error: unknown) => {
        if (error instanceof LedgerUnavailableError && error.code === 'uncertain') return add(item);
        throw error;
      }),
    );
}

/** @throws {ServiceError} PAYMENT_UNAVAILABLE */
async function answered<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (cause) {
    if (!(cause instanceof LedgerUnavailableError)) throw cause;
    throw new ServiceError('PAYMENT_UNAVAILABLE', 'the claims of payments do not answer', { cause });
  }
}

const OPENED = ['opened', 'changed', 'throttled', 'short'] as const;
const RELEASED = ['released', 'kept', 'busy'] as const;
const STARTED = ['started', 'busy', 'resolved', 'gone'] as const;
const NOTED = ['noted', 'lost'] as const;
const FINISHED = ['finished', 'kept', 'gone'] as const;

interface Note {
  readonly id: string;
  readonly attempt: string;
  readonly transaction: Hex;
  readonly signer: Hex;
  readonly nonce: number;
}
type Finish = ReturnType<typeof formatResult> & { readonly has_ended: boolean };
/** A payment, or a payer alone. */
interface Sought {
  readonly payer: Hex;
  readonly nonce: Hex | null;
}

const keyOf = ({ payer, nonce }: PaymentKey) => ({ payer: toLowerHex(payer), nonce: toLowerHex(nonce) });

const formatOpening = ({ details, options }: { details: ClaimDetails; options: OpenOptions }) => ({
  id: details.claimId,
  ...keyOf(details),
  pay_to: toLowerHex(details.payTo),
  amount: `${details.amount}`,
  valid_before_s: details.validBeforeS,
  digest: details.digest,
  fingerprint: details.fingerprint,
  offer_secret_hash: details.offerSecretHash,
  payment_identifier_hash: details.paymentIdentifierHash ?? null,
  from_block: details.fromBlock === undefined ? null : `${details.fromBlock}`,
  key_id: options.authorization.keyId,
  sealed: options.authorization.sealed.toString('base64'),
  lease_ms: options.leaseMs,
  replaces: options.replaces ?? null,
  balance: options.balance === undefined ? null : `${options.balance}`,
  since: options.since ?? null,
  without: (options.used ?? []).map(toLowerHex),
});

function formatResult({ claimId, payer }: ClaimRef, attemptId: string | undefined, result: Result) {
  const isResolved = result.state === 'settled' || result.state === 'failed';
  return {
    id: claimId,
    payer: toLowerHex(payer),
    attempt: attemptId ?? null,
    state: result.state,
    is_final: result.state === 'settled' || (result.state === 'failed' && result.final),
    payment_response: isResolved ? result.paymentResponseJson : null,
    transaction: result.state === 'settled' && result.transaction ? toLowerHex(result.transaction) : null,
    is_payers_fault: result.state === 'failed' && result.isPayersFault,
  };
}

const Whole = Type.String({ pattern: '^[0-9]+$' });
const Nullable = <Schema extends ReturnType<typeof Type.String> | typeof Bytes32>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

const storedClaim = Compile(
  Type.Object({
    claim_id: Type.String(),
    state: Type.Enum([...CLAIM_STATES]),
    payer: Address,
    pay_to: Address,
    nonce: Bytes32,
    amount: Whole,
    valid_before_s: Type.Integer(),
    digest: Type.String(),
    fingerprint: Type.String(),
    offer_secret_hash: Type.String(),
    payment_identifier_hash: Nullable(Type.String()),
    from_block: Nullable(Whole),
    transaction: Nullable(Bytes32),
    is_final: Type.Boolean(),
    payment_response: Nullable(Type.String()),
    is_leased: Type.Boolean(),
  }),
);

/** @throws {TypeError} */
function readClaim(stored: unknown): Claim | undefined {
  if (stored === null) return undefined;
  if (!storedClaim.Check(stored)) throw new TypeError('the ledger answered a malformed claim');
  return {
    claimId: stored.claim_id,
    state: stored.state,
    payer: getAddress(stored.payer),
    payTo: getAddress(stored.pay_to),
    nonce: stored.nonce,
    digest: stored.digest,
    fingerprint: stored.fingerprint,
    offerSecretHash: stored.offer_secret_hash,
    paymentIdentifierHash: stored.payment_identifier_hash ?? undefined,
    amount: BigInt(stored.amount),
    validBeforeS: stored.valid_before_s,
    fromBlock: stored.from_block === null ? undefined : BigInt(stored.from_block),
    isLeased: stored.is_leased,
    transaction: stored.transaction ?? undefined,
    paymentResponseJson: stored.payment_response ?? undefined,
    final: stored.is_final,
  };
}

const callRow = Compile(
  Type.Object({
    record_id: Type.String(),
    fingerprint: Type.String(),
    state: Type.Enum(['open', 'pending', 'charged']),
  }),
);

/** @throws {TypeError} */
function readCall(row: Row): IdentifiedCall | undefined {
  if (row['record_id'] === null) return undefined;
  if (!callRow.Check(row)) throw new TypeError('the ledger answered a malformed call');
  return { recordId: row.record_id, fingerprint: row.fingerprint, state: row.state };
}

/** @throws {TypeError} */
function readStarted(kind: (typeof STARTED)[number], row: Row): StartOutcome {
  if (kind === 'busy' || kind === 'gone') return { kind };
  const claim = readClaim(row['claim']);
  if (claim === undefined) throw new TypeError('the ledger answered no claim');
  if (kind === 'resolved') return { kind, claim };
  const { key_id: keyId, sealed } = row;
  return {
    kind,
    before: claim,
    authorization: Buffer.isBuffer(sealed) ? { keyId: readText(keyId), sealed } : undefined,
  };
}

const payerRow = Compile(
  Type.Object({ failures: Type.BigInt(), in_flight: Type.Array(Bytes32), read_at: Type.Unknown() }),
);

/** @throws {TypeError} */
function readPayer(row: Row): PayerState {
  if (!payerRow.Check(row)) throw new TypeError('the ledger answered a malformed payer');
  const { failures, in_flight: inFlight, read_at: readAt } = row;
  return { isThrottled: failures >= MAX_FAILURES_AN_HOUR, inFlight, readAt: readDate(readAt) };
}
