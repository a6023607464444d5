import type { Connection } from './connection.ts';
import { createRequest, faultOf, retryAfterMs, send, trialInfoOf } from './http.ts';
import type { OperationName } from './operations.ts';
import { type CallFailure, notCharged, type Quote } from './outcome.ts';
import { fromBase64, toPrice } from './values.ts';

/** Asks for the price with an empty body, which executes nothing. */
export async function askQuote(connection: Connection, operation: OperationName): Promise<Quote | CallFailure> {
  const answer = await send(connection, await createRequest(connection.origin, operation, {}));
  const again = { how: 'again', afterMs: retryAfterMs(answer) } as const;
  if (answer instanceof Error || answer.status !== 402) return notCharged(faultOf(answer), again);
  const { quotedAmountAtomic, coveredByInitialGrant } = trialInfoOf(fromBase64(answer.headers.get('payment-required')));
  const priceMicroUsd = toPrice(quotedAmountAtomic);
  if (priceMicroUsd === undefined) return notCharged({ code: 'WRONG_OFFER', message: 'there is no quote' }, again);
  return { ok: true, priceMicroUsd, coveredByInitialGrant: coveredByInitialGrant === true };
}
