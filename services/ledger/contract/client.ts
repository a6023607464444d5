import { channel } from 'node:diagnostics_channel';
import {
  type Answer,
  type ChannelAccount,
  type ChannelCharge,
  type ChannelResult,
  type ClaimedAnswer,
  type CreditResult,
  type HoldRefundRequest,
  LedgerServiceClient,
  type ReadChannelsRequest,
  type ReadChannelsResponse,
  type ReadStatusRequest,
  type ReadStatusResponse,
  type TrialReservation,
  type Void,
} from '../../../proto/gen/tollhouse/ledger/v1/ledger.ts';
import { type BatchCall, createBatchClient } from '../../platform/grpc/batch-client.ts';
import { type Channels, openChannels } from '../../platform/grpc/grpc-client.ts';
import type { GrpcTarget } from '../../platform/grpc/identity.ts';
import { askUntilKnown, explainFailure } from './failures.ts';
import { LedgerUnavailableError, type Reservation } from './ledger.ts';
import {
  type ChannelChargeOutcome,
  KEEP_STATES,
  type Keeping,
  POST_STATES,
  type Posting,
  type RefundHoldOutcome,
  readCharge,
  readHold,
  readReserve,
  readResolved,
  readState,
  type TrialBudget,
  type TrialOutcome,
  VOID_STATES,
  type Voiding,
  type VoidReason,
} from './outcomes.ts';
import { type ServiceWatch, watchService } from './service-watch.ts';
import type { WalletLocks } from './wallet-lock.ts';

/** What the service answers to single items and requests. */
export interface LedgerAnswers {
  reserve(item: TrialReservation): Promise<CreditResult>;
  charge(item: ChannelCharge): Promise<ChannelResult>;
  post(item: Answer): Promise<CreditResult>;
  keep(item: ClaimedAnswer): Promise<CreditResult>;
  void(item: Void): Promise<CreditResult>;
  holdRefund(request: HoldRefundRequest): Promise<ChannelResult>;
  readChannels(request: ReadChannelsRequest): Promise<ReadChannelsResponse>;
  readStatus(request: ReadStatusRequest): Promise<ReadStatusResponse>;
}

/** The calls of the service. Each throws `CallError`. */
export type LedgerCalls = {
  readonly [Method in keyof LedgerAnswers]: (
    request: Parameters<LedgerAnswers[Method]>[0],
    timeoutMs: number,
  ) => ReturnType<LedgerAnswers[Method]>;
} & { close(): void };

export interface LedgerOptions {
  readonly locks: WalletLocks;
  /** Largest accepted difference between the clocks of this machine and of the database. */
  readonly clockToleranceMs: number;
  /** Longest wait for one answer; longer where it is asked again: each attempt may take half of what is left. */
  readonly timeoutMs?: number;
  /** How long a void is asked again. */
  readonly answerWithinMs?: number;
  readonly checkEveryMs?: number;
  readonly now?: () => number;
  readonly monotonicMs?: () => number;
  /** A check failed. */
  readonly onError?: (error: unknown) => void;
}

export interface LedgerClientOptions extends LedgerOptions {
  /** Copies of the service, as in `openChannels`. */
  readonly target: GrpcTarget;
}

/** Every method that returns a promise throws `LedgerUnavailableError`, except as said. */
export interface LedgerClient extends ServiceWatch {
  /** Takes the lock of the wallet, then reserves. It is never sent again. */
  reserve(reservation: Reservation): Promise<TrialOutcome>;
  /** It is never sent again. */
  charge(charge: ChannelCharge): Promise<ChannelChargeOutcome>;
  holdRefund(hold: HoldRefundRequest): Promise<RefundHoldOutcome>;
  /** Charges a reservation and stores its answer. `withinMs`: until its deadline, after which it cannot be charged. */
  post(answer: Answer, withinMs?: number): Promise<Posting>;
  /** Stores the answer that a claim will pay for. `withinMs`: until its lease ends, after which it may be taken over. */
  keep(answer: ClaimedAnswer, withinMs?: number): Promise<Keeping>;
  void(reservationId: string, reason: VoidReason): Promise<Voiding>;
  channels(channelIds: readonly string[]): Promise<readonly ChannelAccount[]>;
  /** For answers to unsigned requests. */
  budget(): Promise<TrialBudget>;
  /** Asks whether wallets can be locked. @throws {Error} when Redis does not serve */
  checkLocks(): Promise<void>;
  /** Waits for the releases of locks, and disconnects. */
  close(): Promise<void>;
}

const DEFAULTS = {
  timeoutMs: 1000,
  answerWithinMs: 3000,
  checkEveryMs: 1000,
  now: Date.now,
  monotonicMs: () => performance.now(),
  onError: () => {},
};
const MIB = 1024 * 1024;
/** An answer that is not stored in time is executed again, so a busy machine gets time to store a large one. */
const STORE_MS = 10_000;
const STORE_MS_PER_MIB = 5000;
const MAX_ITEMS = 64;
/** One message is committed while the next one arrives. */
const MAX_IN_FLIGHT = 2;

const step = channel('tollhouse:step');

/** Opens the ledger's service. It connects and reconnects by itself; `ready()` tells whether trials may be admitted. */
export function createLedgerClient({ target, ...options }: LedgerClientOptions): LedgerClient {
  return createLedger(openCalls(openChannels(LedgerServiceClient, target)), options);
}

/** The ledger over calls that cross in another way than gRPC. */
export function createLedger(calls: LedgerCalls, given: LedgerOptions): LedgerClient {
  const options = { ...DEFAULTS, ...given };
  const { locks, timeoutMs, monotonicMs } = options;
  const readStatus = () => calls.readStatus({}, timeoutMs);
  const watch = watchService({
    ...options,
    toleranceMs: options.clockToleranceMs,
    checkLocks: locks.check,
    readStatus,
  });
  const repeated = <Value>(ask: (timeoutMs: number) => Promise<Value>, withinMs: number): Promise<Value> =>
    askUntilKnown((leftMs) => ask(Math.min(leftMs, Math.max(timeoutMs, leftMs / 2))), {
      untilMs: monotonicMs() + withinMs,
      monotonicMs,
    });

  async function stored<Value>(
    name: 'post' | 'keep',
    { answer, withinMs }: { readonly answer: Answer | ClaimedAnswer; readonly withinMs: number },
    ask: (timeoutMs: number) => Promise<Value>,
  ): Promise<Value> {
    step.publish(`${name}.before`);
    const enoughMs = STORE_MS + Math.ceil((bytesOf(answer) / MIB) * STORE_MS_PER_MIB);
    const value = await repeated(ask, Math.min(enoughMs, withinMs));
    step.publish(`${name}.after`);
    return value;
  }

  return {
    ...watch,
    async reserve(reservation) {
      const readiness = watch.ready();
      if (!readiness.ok) throw new LedgerUnavailableError('not_ready', readiness.reason);
      step.publish('reserve.before');
      const lock = await locks.acquire(reservation.wallet.toLowerCase());
      try {
        // The time that is left of the lock is taken when the message leaves.
        const item = {
          ...reservation,
          get lockLeftMs() {
            return Math.max(0, Math.floor(lock.leftMs()));
          },
        };
        const outcome = await explained(async () => readReserve(await calls.reserve(item, timeoutMs)));
        step.publish('reserve.after');
        return outcome;
      } finally {
        lock.release();
      }
    },
    async charge(charge) {
      step.publish('reserve.before');
      const outcome = await explained(async () => readCharge(await calls.charge(charge, timeoutMs)));
      step.publish('reserve.after');
      return outcome;
    },
    holdRefund: (hold) => explained(async () => readHold(await calls.holdRefund(hold, timeoutMs))),
    post: (answer, withinMs = Number.POSITIVE_INFINITY) =>
      stored('post', { answer, withinMs }, async (attemptMs) =>
        readResolved(POST_STATES, await calls.post(answer, attemptMs)),
      ),
    keep: (answer, withinMs = Number.POSITIVE_INFINITY) =>
      stored('keep', { answer, withinMs }, async (attemptMs) =>
        readState(KEEP_STATES, (await calls.keep(answer, attemptMs)).state),
      ),
    void: (reservationId, reason) =>
      repeated(async (attemptMs) => {
        const { state, ...rest } = readResolved(VOID_STATES, await calls.void({ reservationId, reason }, attemptMs));
        if (state === 'busy') throw new LedgerUnavailableError('uncertain', 'the reservation is being posted');
        return { state, ...rest };
      }, options.answerWithinMs),
    channels: (channelIds) =>
      explained(async () => {
        const { accounts } = await calls.readChannels({ channelIds: [...channelIds] }, timeoutMs);
        if (accounts.length !== channelIds.length) throw new Error(`the ledger answered ${accounts.length} channels`);
        return accounts;
      }),
    budget: () =>
      explained(async () => {
        const { dayUtc, remainingMicroUsd } = await readStatus();
        return { dayUtc, remainingMicroUsd };
      }),
    checkLocks: locks.check,
    async close() {
      watch.close();
      calls.close();
      await locks.close();
    },
  };
}

async function explained<Value>(ask: () => Promise<Value>): Promise<Value> {
  try {
    return await ask();
  } catch (error) {
    throw explainFailure(error);
  }
}

/** Over streams of the service, on which items that wait at the same time cross together. */
function openCalls(channels: Channels<LedgerServiceClient>): LedgerCalls {
  const closers: (() => void)[] = [];
  function lane<Item, Result>(
    open: (client: LedgerServiceClient) => BatchCall<Item, Result>,
    bytesOf: (item: Item) => number = () => 0,
  ): (item: Item, timeoutMs: number) => Promise<Result> {
    const { send, close } = createBatchClient<Item, Item, Result>({
      open: () => channels.open(open),
      toMessage: (item) => item,
      bytesOf,
      maxItems: MAX_ITEMS,
      maxInFlight: MAX_IN_FLIGHT,
    });
    closers.push(close);
    return send;
  }
  return {
    reserve: lane((client) => client.reserve()),
    charge: lane((client) => client.charge()),
    post: lane((client) => client.post(), bytesOf),
    keep: lane((client) => client.keep(), bytesOf),
    void: lane((client) => client.void()),
    holdRefund: (request, timeoutMs) => channels.call((client) => client.holdRefund, request, { timeoutMs }),
    readChannels: (request, timeoutMs) => channels.call((client) => client.readChannels, request, { timeoutMs }),
    readStatus: (request, timeoutMs) => channels.call((client) => client.readStatus, request, { timeoutMs }),
    close() {
      for (const close of closers) close();
      channels.close();
    },
  };
}

const bytesOf = ({ requestBody, responseBody }: Pick<Answer, 'requestBody' | 'responseBody'>) =>
  requestBody.length + responseBody.length;
