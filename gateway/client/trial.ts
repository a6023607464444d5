import type { Connection, TrialSigner } from './connection.ts';
import { createRequest } from './http.ts';
import type { OperationName, Operations } from './operations.ts';
import type { CallFailure, Quote, TrialOutcome } from './outcome.ts';
import { askQuote } from './quote.ts';
import { runTrial } from './trial-call.ts';

export type { Connection, TrialSigner } from './connection.ts';
export type { Address, OperationName, Operations } from './operations.ts';
export type { CallFailure, ClientCode, FreeRetry, OpenRetry, Quote, TrialOutcome, TrialResult } from './outcome.ts';

export interface TrialClientOptions extends Connection {
  readonly signer: TrialSigner;
}

export interface TrialClient {
  /** Calls an operation with free credit. @throws {TypeError} if the operation is unknown or the input is not JSON */
  call<Name extends OperationName>(
    operation: Name,
    input: Operations[Name]['input'],
  ): Promise<TrialOutcome<Operations[Name]['result']>>;
  quote(operation: OperationName): Promise<Quote | CallFailure>;
}

/** A client that cannot pay: it contains no code that could. */
export const createTrialClient = (options: TrialClientOptions): TrialClient => ({
  async call<Name extends OperationName>(operation: Name, input: Operations[Name]['input']) {
    const request = await createRequest(options.origin, operation, input);
    const { outcome } = await runTrial(request, options);
    // The server validates its results, so their shape is not checked again.
    return outcome as TrialOutcome<Operations[Name]['result']>;
  },
  quote: (operation) => askQuote(options, operation),
});
