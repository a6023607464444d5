/** The body and the PAYMENT-REQUIRED header of a 402. */
export interface PaymentRequired {
  readonly header: string;
  readonly body: string;
}

/**
 * Characters of a PAYMENT-REQUIRED header. With all other headers and the status line, a 402 stays below 4,000 bytes:
 * proxies such as nginx take 4,096 unless they are told otherwise.
 */
export const MAX_REQUIRED_CHARACTERS = 3128;

const MAX_ERROR_CHARACTERS = 160;

interface Described {
  /** Why the request was not accepted. */
  readonly error: string;
  readonly url: string;
  readonly description: string;
  readonly accepts: readonly object[];
  readonly extensions: object;
}

/** The object of a PAYMENT-REQUIRED header. */
export function describeRequired({ error, url, description, accepts, extensions }: Described) {
  const resource = { url, description, mimeType: 'application/json' };
  return { x402Version: 2, error: bounded(error), resource, accepts, extensions };
}

/** Replaces what JSON would escape, so that the text cannot grow, and cuts it. */
function bounded(error: string): string {
  return error.replace(/[^ !#-[\]-~]/g, '?').slice(0, MAX_ERROR_CHARACTERS);
}

/** The 402 for a payment that was not accepted. The body is that of the payment layer: an empty object. */
export function toPaymentRequired(required: object): PaymentRequired {
  return { header: Buffer.from(JSON.stringify(required)).toString('base64'), body: '{}' };
}
