import type {
  Answer,
  ChannelAccount,
  ChannelCharge,
  ClaimedAnswer,
  LedgerServiceServer,
  TrialReservation,
  Void,
} from '../../../proto/gen/tollhouse/ledger/v1/ledger.ts';
import { batchStream } from '../../platform/grpc/batch-server.ts';
import { createByteBound } from '../../platform/grpc/byte-bound.ts';
import { unary } from '../../platform/grpc/grpc-server.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { MAX_WAITING_BYTES } from '../../platform/grpc/size-limits.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { createRepeatedErrorLog } from '../../platform/process/repeated-errors.ts';
import type { LedgerAnswers } from '../contract/client.ts';
import { LedgerUnavailableError } from '../contract/ledger.ts';
import type { ChannelLedger } from '../store/charge.ts';
import type { Gate } from '../store/gate.ts';
import type { SealedBodies } from '../store/post.ts';
import type { TrialLedger } from '../store/trial-ledger.ts';
import {
  checkAnswer,
  checkChannelId,
  checkCharge,
  checkClaimedAnswer,
  checkHold,
  checkReservation,
  checkVoid,
} from './check-items.ts';

/** What the service serves: credit of wallets and channels. Every method throws `LedgerUnavailableError`. */
export type LedgerStore = ChannelLedger & Pick<TrialLedger, 'reserve' | 'post' | 'keep' | 'void' | 'budget'>;

/** Encrypts the bodies of answers. */
export interface BodySealer {
  readonly keyId: string;
  seal(body: Buffer, address: { readonly recordId: string; readonly part: 'request' | 'response' }): Promise<Buffer>;
}

export interface LedgerServiceOptions {
  readonly store: LedgerStore;
  readonly gate: Gate;
  readonly cipher: BodySealer;
  readonly logger: Logger;
}

const MAX_ITEMS = 64;
const MAX_CHANNELS = 500;

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
    readStatus: unary(logger, async (request) => answers().readStatus(request)),
  };
}

/** Every method throws `ServiceError`. */
export function createLedgerAnswers({ store, gate, cipher, logger }: LedgerServiceOptions): LedgerAnswers {
  const logFailure = createRepeatedErrorLog({ logger, message: 'the ledger failed' });
  const hold = createByteBound(MAX_WAITING_BYTES);
  const show = createAccountReader(logger);

  /** Tells callers whether anything was done. */
  const explained =
    <Request, Result>(answer: (request: Request) => Promise<Result>) =>
    async (request: Request): Promise<Result> => {
      try {
        return await answer(request);
      } catch (cause) {
        if (!(cause instanceof LedgerUnavailableError)) throw cause;
        if (cause.code === 'not_ready') throw new ServiceError('LEDGER_CLOSED', cause.message, { cause });
        logFailure(cause);
        const code = cause.code === 'uncertain' ? 'LEDGER_UNCERTAIN' : 'LEDGER_REFUSED';
        throw new ServiceError(code, cause.message, { cause });
      }
    };

  async function reserving<Value>(work: () => Promise<Value>): Promise<Value> {
    gate.admit();
    return await gate.guard(work());
  }

  /** A post or keep goes on when its caller is gone: only its id can tell whether it was done. */
  const stored = <Item extends Answer | ClaimedAnswer, Outcome>(
    recordId: string,
    { requestBody, responseBody, ...answer }: Item,
    commit: (answer: Omit<Item, 'requestBody' | 'responseBody'> & SealedBodies) => Promise<Outcome>,
  ): Promise<Outcome> =>
    hold(requestBody.length + responseBody.length, async () => {
      const [request, response] = await Promise.all([
        cipher.seal(requestBody, { recordId, part: 'request' }),
        cipher.seal(responseBody, { recordId, part: 'response' }),
      ]);
      return gate.watch(commit({ ...answer, keyId: cipher.keyId, request, response }));
    });

  return {
    reserve: explained(async (item) => {
      checkReservation(item);
      return reserving(() => store.reserve(item));
    }),
    charge: explained(async (item) => {
      checkCharge(item);
      const { account, ...outcome } = await reserving(() => store.charge(item));
      // The voucher would have to be decrypted, and nobody needs it where the call goes on.
      const isAdmitted = outcome.state === 'reserved' || outcome.state === 'posted';
      return { ...outcome, account: isAdmitted ? { ...account, voucher: undefined } : show(account) };
    }),
    post: explained(async (item) => {
      checkAnswer(item);
      return stored(item.reservationId, item, store.post);
    }),
    keep: explained(async (item) => {
      checkClaimedAnswer(item);
      return { state: await stored(item.claimId, item, store.keep) };
    }),
    void: explained(async (item: Void) => {
      checkVoid(item);
      return store.void(item.reservationId, item.reason);
    }),
    holdRefund: explained(async (request) => {
      checkHold(request);
      const { account, ...outcome } = await reserving(() => store.holdRefund(request));
      return { ...outcome, account: show(account) };
    }),
    readChannels: explained(async ({ channelIds }) => {
      if (channelIds.length > MAX_CHANNELS)
        throw new ServiceError('INVALID_ARGUMENT', `more than ${MAX_CHANNELS} channels`);
      for (const id of channelIds) checkChannelId(id);
      return { accounts: (await store.channels(channelIds)).map(show) };
    }),
    readStatus: explained(async ({ withBudget }) => {
      const [status, budget] = await Promise.all([gate.status(), withBudget ? store.budget() : undefined]);
      return { ...status, budget };
    }),
  };
}

/** Decrypts the voucher of an account. One without its voucher still has its sums, for those that need no more. */
function createAccountReader(logger: Logger): (account: ChannelAccount) => ChannelAccount {
  const logClosed = createRepeatedErrorLog({ logger, message: 'a voucher cannot be decrypted', level: 'error' });
  return (account) => {
    try {
      return { ...account, voucher: account.voucher && { ...account.voucher } };
    } catch (error) {
      logClosed(error);
      return { ...account, voucher: undefined };
    }
  };
}
