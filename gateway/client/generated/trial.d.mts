// Generated from gateway/client by `npm run generate`.
import type { Connection, TrialSigner } from './connection.mjs';
import type { OperationName, Operations } from './operations.mjs';
import type { CallFailure, Quote, TrialOutcome } from './outcome.mjs';
export type { Connection, TrialSigner } from './connection.mjs';
export type { Address, OperationName, Operations } from './operations.mjs';
export type { CallFailure, ClientCode, FreeRetry, OpenRetry, Quote, TrialOutcome, TrialResult } from './outcome.mjs';
export interface TrialClientOptions extends Connection {
    readonly signer: TrialSigner;
}
export interface TrialClient {
    /** Calls an operation with free credit. @throws {TypeError} if the operation is unknown or the input is not JSON */
    call<Name extends OperationName>(operation: Name, input: Operations[Name]['input']): Promise<TrialOutcome<Operations[Name]['result']>>;
    quote(operation: OperationName): Promise<Quote | CallFailure>;
}
/** A client that cannot pay: it contains no code that could. */
export declare const createTrialClient: (options: TrialClientOptions) => TrialClient;
