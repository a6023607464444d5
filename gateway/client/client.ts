import { type ChannelTerms, payByVoucher, resumeVoucher } from './channel-call.ts';
import { type ChannelRecord, channelPrefixOf, readRecords } from './channel-record.ts';
import { giveUp, refund, resumeCalls } from './channels.ts';
import type { Connection, Hex, Signer } from './connection.ts';
import { createRequest, type Request } from './http.ts';
import { createMemoryStore } from './memory-store.ts';
import type { OperationName, Operations } from './operations.ts';
import { type CallFailure, type CallOutcome, type Quote, type RefundResult, stopped } from './outcome.ts';
import { type PaymentTerms, payFor, prefixOf, resumePayment } from './paid-call.ts';
import { createPlans, type Keys, type Plans } from './plans.ts';
import { createQueues } from './queues.ts';
import { askQuote } from './quote.ts';
import type { Store } from './store.ts';
import { runTrial } from './trial-call.ts';

export type { Connection, Signer, TrialSigner, TypedData } from './connection.ts';
export type { Address, OperationName, Operations } from './operations.ts';
export type {
  CallFailure,
  CallOutcome,
  ChannelResult,
  ClientCode,
  FreeRetry,
  OpenRetry,
  PaidResult,
  Quote,
  RefundResult,
  TrialResult,
} from './outcome.ts';
export type * from './plan-types.ts';
export type { Keys, PlanOutcome, Plans, VerifyStep } from './plans.ts';
export type { Store, StoreEntry } from './store.ts';

export interface ClientOptions extends Connection {
  readonly signer: Signer;
  /** For `plans`. */
  readonly keys?: Keys;
  /** In memory by default: then a process that dies forgets which payments are open, and what its channels were charged. */
  readonly store?: Store;
  /** Which of the wallet's channels is used: 32 bytes, zeros by default. One channel pays for one call at a time, of one process. */
  readonly channelSalt?: Hex;
}

/**
 * How a call is paid for:
 * - trial: from the wallet's free credit, and never otherwise
 * - exact: one payment of USDC
 * - channel: by a voucher of the wallet's channel, without a transaction. `channels.open` deposits
 * - auto: from free credit, and by a payment only if the credit or the day's budget does not cover the call
 */
export type PayOptions =
  | { readonly pay: 'trial'; readonly maxPrice?: bigint }
  | {
      readonly pay: 'exact' | 'channel' | 'auto';
      /** The most that this call may cost, in micro-USD. */
      readonly maxPrice: bigint;
    };

export interface OpenOptions {
  /** What is deposited, in micro-USD. */
  readonly amount: bigint;
  /** The most that the first call may cost, in micro-USD. */
  readonly maxPrice: bigint;
}

/** Payment channels: a deposit on the chain pays for many calls, and what is left of it can come back. */
export interface Channels {
  /** Deposits, together with a call. Deposits more if the channel is open. @throws {TypeError} as `call` does */
  open<Name extends OperationName>(
    operation: Name,
    input: Operations[Name]['input'],
    options: OpenOptions,
  ): Promise<CallOutcome<Operations[Name]['result']>>;
  /**
   * Returns an amount of micro-USD to the wallet, on the chain. Nothing is charged for it. If its answer is lost, it may
   * have been made, and the same call may return as much again.
   */
  refund(amount: bigint): Promise<RefundResult | CallFailure>;
  /** Returns all that is left to the wallet. The channel can be opened again. */
  close(): Promise<RefundResult | CallFailure>;
  /** Sends the open calls of the wallet's channels again, such as those of a process that died. */
  resume(): Promise<readonly CallOutcome<object>[]>;
  /** Forgets the open calls. If one was charged, its result is lost. The next call is not signed for more because of it. */
  giveUp(): Promise<CallFailure | undefined>;
}

export interface Client {
  readonly channels: Channels;
  readonly plans: Plans;
  /**
   * Calls an operation. Calls of equal inputs wait for each other, so that each knows which payment is open. Calls of a
   * channel wait for each other.
   * @throws {TypeError} if an argument cannot be used; nothing was sent then
   */
  call<Name extends OperationName>(
    operation: Name,
    input: Operations[Name]['input'],
    options: PayOptions,
  ): Promise<CallOutcome<Operations[Name]['result']>>;
  quote(operation: OperationName): Promise<Quote | CallFailure>;
  /** The wallet's free credit in micro-USD after its last trial here. Undefined before: no request asks for it alone. */
  balance(): bigint | undefined;
}

const WAYS: readonly string[] = ['trial', 'exact', 'channel', 'auto'];
const NO_SALT: Hex = `0x${'0'.repeat(64)}`;

/** A client that pays at most what each call allows, and never twice for one call. */
export function createClient(options: ClientOptions): Client {
  const { store = createMemoryStore(), channelSalt: salt = NO_SALT, keys = {}, ...connection } = options;
  const inTurn = createQueues();
  let balance: bigint | undefined;

  /** Runs a task with the wallet's channels, one after the other. */
  async function withChannels<Value>(
    task: (terms: ChannelTerms, records: readonly ChannelRecord[]) => Promise<Value>,
  ): Promise<Value | CallFailure> {
    const channelPrefix = await channelPrefixOf(options.origin, options.signer.address);
    return inTurn(channelPrefix, async () => {
      let records: readonly ChannelRecord[];
      try {
        records = await readRecords(store, channelPrefix);
      } catch (cause) {
        const message = 'nothing was sent: the store does not tell which calls of the channels are open';
        return stopped('STORE_FAILED', message, cause);
      }
      return task({ ...connection, store, channelPrefix, salt }, records);
    });
  }

  async function run(
    request: Request,
    prefix: string,
    how: PayOptions,
    deposit?: bigint,
  ): Promise<CallOutcome<object>> {
    const { pay, maxPrice } = how;
    if (pay === 'trial')
      return note((await runTrial(request, { ...connection, ...(maxPrice && { maxPrice }) })).outcome);
    const terms: PaymentTerms = { ...connection, store, prefix, maxPrice };
    const resumed = (await resumePayment(request, terms)) ?? (await payChannel(request, how, deposit));
    if (resumed !== undefined) return resumed;
    if (pay === 'exact') return payFor(request, terms);
    const { outcome, payable } = await runTrial(request, terms);
    return payable === undefined ? note(outcome) : payFor(request, terms, payable);
  }

  /** Sends the open call for this request again. Without one, undefined unless the channel is to pay. */
  const payChannel = (
    request: Request,
    { pay, maxPrice }: Extract<PayOptions, { readonly maxPrice: bigint }>,
    deposit: bigint | undefined,
  ) =>
    withChannels<CallOutcome<object> | undefined>(async (channel, records) => {
      const terms = { ...channel, maxPrice };
      const resumed = await resumeVoucher(request, terms, records);
      return resumed ?? (pay === 'channel' ? payByVoucher(request, terms, records, deposit) : undefined);
    });

  function note(outcome: CallOutcome<object>): CallOutcome<object> {
    if (outcome.ok && outcome.paidBy === 'trial') balance = outcome.balanceMicroUsd ?? balance;
    return outcome;
  }

  async function call<Name extends OperationName>(
    operation: Name,
    input: Operations[Name]['input'],
    how: PayOptions,
    deposit?: bigint,
  ) {
    checkOptions(how);
    const request = await createRequest(options.origin, operation, input);
    const prefix = await prefixOf(request, options.signer);
    const outcome = await inTurn(prefix, () => run(request, prefix, how, deposit));
    // The server validates its results, so their shape is not checked again.
    return outcome as CallOutcome<Operations[Name]['result']>;
  }

  return {
    call: (operation, input, how) => call(operation, input, how),
    quote: (operation) => askQuote(connection, operation),
    balance: () => balance,
    plans: createPlans({ ...connection, keys, store }),
    channels: {
      async open(operation, input, { amount, maxPrice }) {
        checkAmount('amount', amount);
        return call(operation, input, { pay: 'channel', maxPrice }, amount);
      },
      async refund(amount) {
        checkAmount('amount', amount);
        return withChannels((terms, records) => refund(terms, records, amount));
      },
      close: () => withChannels(refund),
      async resume() {
        const outcomes = await withChannels(resumeCalls);
        return 'ok' in outcomes ? [outcomes] : outcomes;
      },
      giveUp: () => withChannels(giveUp),
    },
  };
}

/** @throws {TypeError} */
function checkOptions({ pay, maxPrice }: PayOptions): void {
  if (!WAYS.includes(pay)) throw new TypeError(`pay is one of ${WAYS.join(', ')}`);
  if (pay !== 'trial' || maxPrice !== undefined) checkAmount('maxPrice', maxPrice);
}

/** @throws {TypeError} */
function checkAmount(name: string, amount: unknown): void {
  const isAmount = typeof amount === 'bigint' && amount > 0n;
  if (!isAmount) throw new TypeError(`${name} is a positive number of micro-USD, as a bigint`);
}
