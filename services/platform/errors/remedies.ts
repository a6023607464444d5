/** Remedies that codes of several tables share. */

export const CORRECT =
  'Nothing was charged. Correct what the message names and send the request again, with the same payment if it had one.';
export const SMALLER =
  'Nothing was charged. Send a smaller part of the document, with the same payment if it is still valid.';
export const REPEAT = 'Send the same request again, with the same payment or idempotency key if it had one';

/** What the client of a trial does, whose proof is valid for one request: it stops, and whoever runs it decides. */
export const STOP = 'A trial stops: neither send the proof again nor pay automatically.';
export const STOP_TO_CORRECT = `${STOP} A corrected request needs a new challenge.`;
