import type pg from 'pg';
import type {
  ChannelAccount as AccountMessage,
  Answer,
  ChannelCharge,
  ChargeResult,
  ClaimedAnswer,
  HoldRefundRequest,
  HoldRefundResponse,
  KeepResult,
  LedgerServiceServer,
  PostResult,
  ReadChannelsRequest,
  ReadChannelsResponse,
  ReadStatusResponse,
  ReserveResult,
  TrialReservation,
  Void,
  VoidResult,
} from '../../../proto/gen/tollhouse/ledger/v1/ledger.ts';
import { batchStream } from '../../platform/grpc/batch-server.ts';
import { createByteBound } from '../../platform/grpc/byte-bound.ts';
import { unary } from '../../platform/grpc/grpc-server.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { MAX_WAITING_BYTES } from '../../platform/grpc/size-limits.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { createRepeatedErrorLog } from '../../platform/process/repeated-errors.ts';
import type { ChannelAccount } from '../contract/channels.ts';
import { LedgerUnavailableError } from '../contract/ledger.ts';
import { CHANNEL_STATES, KEEP_STATES, POST_STATES, RESERVE_STATES, VOID_STATES } from '../contract/states.ts';
import type { Gate } from '../store/gate.ts';
import type { SealedAnswer } from '../store/post.ts';
import { readDatabaseStatus } from '../store/status.ts';
import type { LedgerStore } from './ledger-store.ts';
import {
  readAnswer,
  readChannelId,
  readCharge,
  readClaimedAnswer,
  readHold,
  readReservation,
  readVoid,
} from './read-items.ts';

/** Encrypts the bodies of answers. */
export interface BodySealer {
  readonly keyId: string;
  seal(body: Buffer, address: { readonly recordId: string; readonly part: 'request' | 'response' }): Promise<Buffer>;
}

export interface LedgerServiceOptions {
  readonly store: LedgerStore;
  readonly pool: pg.Pool;
  readonly gate: Gate;
  readonly cipher: BodySealer;
  readonly logger: Logger;
}

const MAX_ITEMS = 64;
const MAX_CHANNELS = 500;

/** Answers to single items and requests. Every method throws `ServiceError`. */
export interface LedgerAnswers {
  reserve(item: TrialReservation): Promise<ReserveResult>;
  charge(item: ChannelCharge): Promise<ChargeResult>;
  post(item: Answer): Promise<PostResult>;
  keep(item: ClaimedAnswer): Promise<KeepResult>;
  void(item: Void): Promise<VoidResult>;
  holdRefund(request: HoldRefundRequest): Promise<HoldRefundResponse>;
  readChannels(request: ReadChannelsRequest): Promise<ReadChannelsResponse>;
  readStatus(): Promise<ReadStatusResponse>;
}

/** `tollhouse.ledger.v1.LedgerService`. @param find undefined until the ledger is open */
export function createLedgerService(find: () => LedgerAnswers | undefined, logger: Logger): LedgerServiceServer {
  const answers = (): LedgerAnswers => {
    const found = find();
    if (found === undefined) throw new ServiceError('LEDGER_CLOSED', 'the network of the credit is not known yet');
    return found;
  };
  const stream = <Item, Result>(answer: (item: Item) => Promise<Result>) =>
    batchStream<Item, Result>({
      maxItems: MAX_ITEMS,
      maxUnderWay: 1,
      open: () => (items) => items.map(answer),
      logger,
    });
  return {
    reserve: stream(async (item: TrialReservation) => answers().reserve(item)),
    charge: stream(async (item: ChannelCharge) => answers().charge(item)),
    post: stream(async (item: Answer) => answers().post(item)),
    keep: stream(async (item: ClaimedAnswer) => answers().keep(item)),
    void: stream(async (item: Void) => answers().void(item)),
    holdRefund: unary(logger, async (request) => answers().holdRefund(request)),
    readChannels: unary(logger, async (request) => answers().readChannels(request)),
    readStatus: unary(logger, async () => answers().readStatus()),
  };
}

export function createLedgerAnswers(options: LedgerServiceOptions): LedgerAnswers {
  const { store, pool, gate, logger } = options;
  const logFailure = createRepeatedErrorLog({ logger, message: 'the ledger failed' });
  const format = createAccountFormat(logger);

  /** Tells callers whether anything was done. */
  async function explained<Value>(work: () => Promise<Value>): Promise<Value> {
    try {
      return await work();
    } catch (cause) {
      if (!(cause instanceof LedgerUnavailableError)) throw cause;
      if (cause.code === 'not_ready') throw new ServiceError('LEDGER_CLOSED', cause.message, { cause });
      logFailure(cause);
      const code = cause.code === 'uncertain' ? 'LEDGER_UNCERTAIN' : 'LEDGER_REFUSED';
      throw new ServiceError(code, cause.message, { cause });
    }
  }

  async function reserving<Value>(work: () => Promise<Value>): Promise<Value> {
    gate.admit();
    try {
      return await gate.guard(work());
    } catch (cause) {
      // The id or a time is too far from the clock of the database.
      if (cause instanceof RangeError) throw new ServiceError('INVALID_ARGUMENT', cause.message, { cause });
      throw cause;
    }
  }

  const { post, keep } = createAnswers(options);
  return {
    reserve: (item) =>
      explained(async () => {
        const reservation = readReservation(item);
        const outcome = await reserving(() => store.reserve(reservation));
        const balanceMicroUsd = outcome.state === 'lock_lost' ? undefined : outcome.balanceMicroUsd;
        return { state: RESERVE_STATES[outcome.state], balanceMicroUsd };
      }),
    charge: (item) =>
      explained(async () => {
        const charge = readCharge(item);
        const outcome = await reserving(() => store.charge(charge));
        const { state, account } = outcome;
        const repeatedId = state === 'repeated' ? outcome.reservationId : undefined;
        // The voucher would have to be decrypted, and nobody needs it where the call goes on.
        const isAdmitted = state === 'reserved' || state === 'posted';
        const shown = isAdmitted ? { ...formatAmounts(account), voucher: undefined } : format(account);
        return { state: CHANNEL_STATES[state], account: shown, repeatedId };
      }),
    post: (item) => explained(() => post(item)),
    keep: (item) => explained(() => keep(item)),
    void: (item) =>
      explained(async () => {
        const { reservationId, reason } = readVoid(item);
        const { state, balanceMicroUsd } = await store.void(reservationId, reason);
        return { state: VOID_STATES[state], balanceMicroUsd };
      }),
    holdRefund: (request) =>
      explained(async () => {
        const hold = readHold(request);
        const outcome = await reserving(() => store.holdRefund(hold));
        const amountMicroUsd = outcome.state === 'reserved' ? outcome.amountMicroUsd : undefined;
        return { state: CHANNEL_STATES[outcome.state], account: format(outcome.account), amountMicroUsd };
      }),
    readChannels: ({ channelIds }) =>
      explained(async () => {
        if (channelIds.length > MAX_CHANNELS) throw tooMany(`${MAX_CHANNELS} channels`);
        return { accounts: (await store.channels(channelIds.map(readChannelId))).map(format) };
      }),
    readStatus: () =>
      explained(async () => {
        const [{ nowMs }, { dayUtc, remainingMicroUsd }] = await Promise.all([
          readDatabaseStatus(pool),
          store.budget(),
        ]);
        return { dayUtc, remainingMicroUsd, nowMs: BigInt(nowMs), closedBecause: gate.closedBecause() };
      }),
  };
}

/** A post or keep goes on when its caller is gone: only its id can tell whether it was done. */
function createAnswers({ store, gate, cipher }: LedgerServiceOptions) {
  const hold = createByteBound(MAX_WAITING_BYTES);
  const stored = <Outcome>(
    recordId: string,
    { requestBody, responseBody }: Answer | ClaimedAnswer,
    commit: (sealed: SealedBodies) => Promise<Outcome>,
  ): Promise<Outcome> =>
    hold(requestBody.length + responseBody.length, async () => {
      const [request, response] = await Promise.all([
        cipher.seal(requestBody, { recordId, part: 'request' }),
        cipher.seal(responseBody, { recordId, part: 'response' }),
      ]);
      return gate.watch(commit({ keyId: cipher.keyId, request, response }));
    });
  return {
    async post(item: Answer): Promise<PostResult> {
      const { reservationId, requestId } = readAnswer(item);
      const { state, balanceMicroUsd } = await stored(reservationId, item, (sealed) =>
        store.post({ reservationId, requestId, ...sealed }),
      );
      return { state: POST_STATES[state], balanceMicroUsd };
    },
    async keep(item: ClaimedAnswer): Promise<KeepResult> {
      const { claimId, requestId, operation, dueInMs } = readClaimedAnswer(item);
      const state = await stored(claimId, item, (sealed) =>
        store.keep({ claimId, requestId, operation, dueInMs, ...sealed }),
      );
      return { state: KEEP_STATES[state] };
    },
  };
}

type SealedBodies = Pick<SealedAnswer, 'keyId' | 'request' | 'response'>;

const tooMany = (limit: string) => new ServiceError('INVALID_ARGUMENT', `more than ${limit}`);

const formatAmounts = ({
  fundedMicroUsd,
  balanceMicroUsd,
  reservedMicroUsd,
  chargedMicroUsd,
}: ChannelAccount): Omit<AccountMessage, 'voucher'> => ({
  fundedMicroUsd,
  balanceMicroUsd,
  reservedMicroUsd,
  chargedMicroUsd,
});

/** An account without its voucher still has its sums, for those that need no more. */
function createAccountFormat(logger: Logger): (account: ChannelAccount) => AccountMessage {
  const logClosed = createRepeatedErrorLog({ logger, message: 'a voucher cannot be decrypted', level: 'error' });
  const format = ({ cumulativeMicroUsd, signature }: NonNullable<ChannelAccount['voucher']>) => ({
    cumulativeMicroUsd,
    signature: Buffer.from(signature.slice(2), 'hex'),
  });
  return (account) => {
    const amounts = formatAmounts(account);
    try {
      return { ...amounts, voucher: account.voucher && format(account.voucher) };
    } catch (error) {
      logClosed(error);
      return { ...amounts, voucher: undefined };
    }
  };
}
