/** `reason`: an x402 error code, mostly with a sentence. It goes to the client. */
export type PaymentFault = { readonly code: 'MALFORMED' | 'NOT_ACCEPTED'; readonly reason: string };

/**
 * What a client is told of a payment that is refused: an x402 error code, and a sentence that names the member at fault and
 * what would pass. Programs read the code, which ends at the colon.
 */
export const explain = (code: string, sentence: string): string => `${code}: ${sentence}`;

/** What would pass, for codes of a facilitator or of our own node. */
const SENTENCES: ReadonlyMap<string, string> = new Map([
  [
    'invalid_exact_evm_payload_authorization_valid_after',
    'validAfter must be earlier than the latest block of the chain; 0 always passes',
  ],
  [
    'invalid_exact_evm_payload_authorization_valid_before',
    'validBefore has passed; sign again, with now + maxTimeoutSeconds',
  ],
  [
    'invalid_exact_evm_signature',
    'payload.signature must be by the payer: 65 bytes of its key, or what its code accepts (ERC-1271) with the gas of a settlement',
  ],
  [
    'undeployed_smart_wallet',
    'payload.authorization.from has no code, and nothing is deployed for a payment (ERC-6492); deploy it, and sign again',
  ],
  [
    'too_much_gas_today',
    'the code of payers made too many settlements fail today; pay from an account without code, or after midnight UTC',
  ],
]);

/** The reason for a code alone. */
export function explainCode(code: string): string {
  const sentence = SENTENCES.get(code);
  return sentence === undefined ? code : explain(code, sentence);
}
