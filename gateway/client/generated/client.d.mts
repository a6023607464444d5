// Generated from gateway/client by `npm run generate`.
import type { Connection, Hex, Signer } from './connection.mjs';
import type { OperationName, Operations } from './operations.mjs';
import { type CallFailure, type CallOutcome, type Quote, type RefundResult } from './outcome.mjs';
import { type Keys, type Plans } from './plans.mjs';
import type { Store } from './store.mjs';
export type { Connection, Signer, TrialSigner, TypedData } from './connection.mjs';
export type { Address, OperationName, Operations } from './operations.mjs';
export type { CallFailure, CallOutcome, ChannelResult, ClientCode, FreeRetry, OpenRetry, PaidResult, Quote, RefundResult, TrialResult, } from './outcome.mjs';
export type * from './plan-types.mjs';
export type { Keys, PlanOutcome, Plans, VerifyStep } from './plans.mjs';
export type { Store, StoreEntry } from './store.mjs';
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
export type PayOptions = {
    readonly pay: 'trial';
    readonly maxPrice?: bigint;
} | {
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
    open<Name extends OperationName>(operation: Name, input: Operations[Name]['input'], options: OpenOptions): Promise<CallOutcome<Operations[Name]['result']>>;
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
    call<Name extends OperationName>(operation: Name, input: Operations[Name]['input'], options: PayOptions): Promise<CallOutcome<Operations[Name]['result']>>;
    quote(operation: OperationName): Promise<Quote | CallFailure>;
    /** The wallet's free credit in micro-USD after its last trial here. Undefined before: no request asks for it alone. */
    balance(): bigint | undefined;
}
/** A client that pays at most what each call allows, and never twice for one call. */
export declare function createClient(options: ClientOptions): Client;
