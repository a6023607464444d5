// Generated from gateway/client by `npm run generate`.
export interface Quote {
    readonly ok: true;
    readonly priceMicroUsd: bigint;
    /** Whether the initial grant covers the price, whatever is left of it. */
    readonly coveredByInitialGrant: boolean;
}
/** A result that was paid for from the wallet's free credit. */
export interface TrialResult<Result> {
    readonly ok: true;
    readonly paidBy: 'trial';
    readonly result: Result;
    readonly priceMicroUsd: bigint;
    /** The credit that is left. Undefined if the server does not know it. Source: X-Trial-Balance-Atomic. */
    readonly balanceMicroUsd: bigint | undefined;
}
/** A result that was paid for with USDC. */
export interface PaidResult<Result> {
    readonly ok: true;
    readonly paidBy: 'exact';
    readonly result: Result;
    readonly priceMicroUsd: bigint;
    /** CAIP-2. */
    readonly network: string;
    /** The hash of the transaction that settled the payment. Source: PAYMENT-RESPONSE. */
    readonly transaction: string;
}
/** A result that a voucher of the wallet's channel paid for. */
export interface ChannelResult<Result> {
    readonly ok: true;
    readonly paidBy: 'channel';
    readonly result: Result;
    readonly priceMicroUsd: bigint;
    /** CAIP-2. */
    readonly network: string;
    readonly channelId: string;
    /** All charges of the channel, this one included. */
    readonly chargedMicroUsd: bigint;
    /** The hash of the transaction that deposited. Undefined if the call made no deposit. */
    readonly deposit: string | undefined;
}
/** Money of a channel that came back to the wallet. */
export interface RefundResult {
    readonly ok: true;
    readonly amountMicroUsd: bigint;
    readonly transaction: string;
}
/**
 * How to go on after nothing was charged:
 * - again: the same call may be made again, after `afterMs`
 * - change: the same call would fail again; first change what the message names
 * - pay: the free credit does not cover the call; paying is a choice
 */
export type FreeRetry = {
    readonly how: 'again';
    readonly afterMs: number;
} | {
    readonly how: 'change' | 'pay';
};
/**
 * How to go on with a payment whose outcome is open. `payment` is its name in the store.
 * - same-payment: the same call, with the same store, sends the same payment again, which is charged once at most
 * - never: neither make this call again nor pay for it otherwise; `payment` is undefined for a trial
 */
export type OpenRetry = {
    readonly how: 'same-payment';
    readonly afterMs: number;
    readonly payment: string;
} | {
    readonly how: 'never';
    readonly payment: string | undefined;
};
/** Codes of the client. All others come from the server: its error codes, trial states and x402 reasons. */
export type ClientCode = 
/** No connection, a time-out, a redirect, or an answer that is too large. */
'NO_ANSWER' | 'UNEXPECTED_ANSWER'
/** The price is higher than `maxPrice`, or a trial's quote is higher than the grant. */
 | 'PRICE_TOO_HIGH' | 'WRONG_OFFER' | 'WRONG_CHALLENGE' | 'NOT_SIGNED'
/** A result came, but not the confirmation of its charge. */
 | 'UNCONFIRMED'
/** The payment was sent and has not settled, but still could until it expires. */
 | 'NOT_SETTLED' | 'STORE_FAILED'
/** An earlier call of the channel has no outcome yet. */
 | 'CHANNEL_OPEN'
/** The server names charges of the channel that the wallet has not signed for. */
 | 'WRONG_CORRECTION'
/** What was done does not pass its checks, so that it was not recorded. */
 | 'NOT_SATISFIED';
export interface Fault {
    readonly code: ClientCode | (string & {});
    readonly message: string;
    /** Of HTTP. Undefined if no answer came. */
    readonly status?: number;
    /** To report to the operator. */
    readonly requestId?: string;
    readonly cause?: unknown;
}
interface Failed extends Fault {
    readonly ok: false;
    /** What to do, for people. `retry` says the same for programs. */
    readonly remedy: string;
}
/** A call without a result. `charged: 'yes'` means that the charge is certain and its result was not received. */
export type CallFailure = Failed & ({
    readonly charged: 'no';
    readonly retry: FreeRetry;
} | {
    readonly charged: 'unknown' | 'yes';
    readonly retry: OpenRetry;
});
export type TrialOutcome<Result> = TrialResult<Result> | CallFailure;
export type CallOutcome<Result> = TrialResult<Result> | PaidResult<Result> | ChannelResult<Result> | CallFailure;
export declare const notCharged: (fault: Fault, retry: FreeRetry) => CallFailure;
export declare const maybeCharged: (fault: Fault, retry: OpenRetry, charged?: "unknown" | "yes") => CallFailure;
/** The end of a call that the client itself gave up, before anything was charged. */
export declare const stopped: (code: Fault["code"], message: string, cause?: unknown) => CallFailure;
/** @param payment its name in the store */
export declare const samePayment: (payment: string, afterMs?: number) => OpenRetry;
export {};
