import type { Connection, Signer } from './connection.ts';
import { createRequest, type Request } from './http.ts';
import { createMemoryStore } from './memory-store.ts';
import type { OperationName, Operations } from './operations.ts';
import type { CallFailure, CallOutcome, Quote } from './outcome.ts';
import { type PaymentTerms, payFor, prefixOf, resumePayment } from './paid-call.ts';
import { askQuote } from './quote.ts';
import type { Store } from './store.ts';
import { runTrial } from './trial-call.ts';

export type { Authorization, Connection, Signer, TrialSigner } from './connection.ts';
export type { Address, OperationName, Operations } from './operations.ts';
export type {
  CallFailure,
  CallOutcome,
  ClientCode,
  FreeRetry,
  OpenRetry,
  PaidResult,
  Quote,
  TrialResult,
} from './outcome.ts';
export type { Store, StoreEntry } from './store.ts';

export interface ClientOptions extends Connection {
  readonly signer: Signer;
  /** In memory by default: then a process that dies forgets which payments are open. */
  readonly store?: Store;
}

/**
 * How a call is paid for:
 * - trial: from the wallet's free credit, and never otherwise
 * - exact: one payment of USDC
 * - auto: from free credit, and by a payment only if the credit or the day's budget does not cover the call
 */
export type PayOptions =
  | { readonly pay: 'trial'; readonly maxPrice?: bigint }
  | {
      readonly pay: 'exact' | 'auto';
      /** The most that this call may cost, in micro-USD. */
      readonly maxPrice: bigint;
    };

export interface Client {
  /**
   * Calls an operation. Calls of equal inputs wait for each other, so that each knows which payment is open.
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

/** A client that pays at most what each call allows, and never twice for one call. */
export function createClient(options: ClientOptions): Client {
  const { store = createMemoryStore(), ...connection } = options;
  const queues = new Map<string, Promise<unknown>>();
  let balance: bigint | undefined;

  async function run(request: Request, prefix: string, { pay, maxPrice }: PayOptions): Promise<CallOutcome<object>> {
    if (pay === 'trial')
      return note((await runTrial(request, { ...connection, ...(maxPrice && { maxPrice }) })).outcome);
    const terms: PaymentTerms = { ...connection, store, prefix, maxPrice };
    const resumed = await resumePayment(request, terms);
    if (resumed !== undefined) return resumed;
    if (pay === 'exact') return payFor(request, terms);
    const { outcome, payable } = await runTrial(request, terms);
    return payable === undefined ? note(outcome) : payFor(request, terms, payable);
  }

  function note(outcome: CallOutcome<object>): CallOutcome<object> {
    if (outcome.ok && outcome.paidBy === 'trial') balance = outcome.balanceMicroUsd ?? balance;
    return outcome;
  }

  return {
    async call<Name extends OperationName>(operation: Name, input: Operations[Name]['input'], how: PayOptions) {
      checkOptions(how);
      const request = await createRequest(options.origin, operation, input);
      const prefix = await prefixOf(request, options.signer);
      const turn = (queues.get(prefix) ?? Promise.resolve()).then(() => run(request, prefix, how));
      const settled = turn.catch(() => {});
      queues.set(prefix, settled);
      try {
        // The server validates its results, so their shape is not checked again.
        return (await turn) as CallOutcome<Operations[Name]['result']>;
      } finally {
        if (queues.get(prefix) === settled) queues.delete(prefix);
      }
    },
    quote: (operation) => askQuote(connection, operation),
    balance: () => balance,
  };
}

/** @throws {TypeError} */
function checkOptions({ pay, maxPrice }: PayOptions): void {
  if (!['trial', 'exact', 'auto'].includes(pay)) throw new TypeError('pay is trial, exact or auto');
  const isBound = typeof maxPrice === 'bigint' && maxPrice > 0n;
  if (!isBound && (pay !== 'trial' || maxPrice !== undefined))
    throw new TypeError('maxPrice is a positive number of micro-USD, as a bigint');
}
