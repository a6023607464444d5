// Generated from gateway/client by `npm run generate`.
import type { Connection, Signer } from './connection.mjs';
import type { OperationName, Operations } from './operations.mjs';
import type { CallFailure, CallOutcome, Quote } from './outcome.mjs';
import type { Store } from './store.mjs';
export type { Authorization, Connection, Signer, TrialSigner } from './connection.mjs';
export type { Address, OperationName, Operations } from './operations.mjs';
export type { CallFailure, CallOutcome, ClientCode, FreeRetry, OpenRetry, PaidResult, Quote, TrialResult, } from './outcome.mjs';
export type { Store, StoreEntry } from './store.mjs';
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
export type PayOptions = {
    readonly pay: 'trial';
    readonly maxPrice?: bigint;
} | {
    readonly pay: 'exact' | 'auto';
    /** The most that this call may cost, in micro-USD. */
    readonly maxPrice: bigint;
};
export interface Client {
    /**
     * Calls an operation. Calls of equal inputs wait for each other, so that each knows which payment is open.
     * @throws {TypeError} if an argument cannot be used; nothing was sent then
     */
    call<Name extends OperationName>(operation: Name, input: Operations[Name]['input'], options: PayOptions): Promise<CallOutcome<Operations[Name]['result']>>;
    quote(operation: OperationName): Promise<Quote | CallFailure>;
    /** The wallet's free credit in micro-USD after its last trial here. Undefined before: no request asks for it alone. */
    balance(): bigint | undefined;
}
/** A client that pays at most what each call allows, and never twice for one call. */
export declare function createClient(options: ClientOptions): Client;
