/**
 * Tries an operation on the free credit of a wallet. It never pays: it sends no payment header, follows no redirect,
 * and stops at every denial, failure or uncertain accounting.
 *
 * @typedef {{ address: string, signMessage: (input: { message: string }) => Promise<string> }} Signer A wallet, such as
 *   an account of viem. `signMessage` makes an EIP-191 signature.
 * @typedef {{ url: string, body: object, signer: Signer, maxQuoteMicroUsd?: bigint, timeoutMs?: number, fetch?: typeof fetch }} TrialOptions
 */

/** The trial did not end with a confirmed result. `mayRetry` is false: neither repeat the request nor pay. */
export class TrialError extends Error {
  constructor(code, message, details = {}) {
    super(message);
    this.name = 'TrialError';
    this.code = code;
    this.mayRetry = false;
    this.details = details;
  }
}

const fromBase64 = (text) => JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(text), (c) => c.charCodeAt(0))));
const toBase64 = (value) => btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(value))));

/** EIP-4361 text of a challenge. */
function signInMessage(info, chainId, address) {
  const lines = [
    `${info.domain} wants you to sign in with your Ethereum account:`,
    address,
    '',
    ...(info.statement ? [info.statement, ''] : ['']),
    `URI: ${info.uri}`,
    `Version: ${info.version}`,
    `Chain ID: ${chainId.split(':')[1]}`,
    `Nonce: ${info.nonce}`,
    `Issued At: ${info.issuedAt}`,
    `Expiration Time: ${info.expirationTime}`,
    `Request ID: ${info.requestId}`,
    'Resources:',
    ...info.resources.map((resource) => `- ${resource}`),
  ];
  return lines.join('\n');
}

/** The challenge of a 402, once everything in it is what was asked for. */
function readChallenge(response, options) {
  const header = response.headers.get('payment-required');
  if (response.status !== 402 || header === null)
    throw new TrialError('NO_CHALLENGE', `the answer was ${response.status}, not a challenge`);
  const { extensions } = fromBase64(header);
  const trial = extensions['seller-trial']?.info;
  if (trial?.status !== 'challenge')
    throw new TrialError('DENIED', trial?.nextStep?.description ?? 'no trial is offered', { trial });
  const maxQuote = options.maxQuoteMicroUsd ?? 50000n;
  if (!trial.coveredByInitialGrant || BigInt(trial.quotedAmountAtomic) > maxQuote)
    throw new TrialError('QUOTE_TOO_HIGH', 'the quote is not covered', { trial });
  const { info, supportedChains } = extensions['sign-in-with-x'];
  const asked = new URL(options.url);
  if (info.domain !== asked.host || info.uri !== asked.href)
    throw new TrialError('WRONG_CHALLENGE', 'the challenge is for another address', { info });
  if (!(Date.parse(info.expirationTime) > Date.now()))
    throw new TrialError('WRONG_CHALLENGE', 'the challenge has expired', { info });
  const chain = supportedChains.find(({ type }) => type === 'eip191');
  if (chain === undefined)
    throw new TrialError('WRONG_CHALLENGE', 'no chain of the challenge can be signed for', { supportedChains });
  return { info, chainId: chain.chainId };
}

/** The result, once its accounting is confirmed. */
async function readResult(response) {
  const accounting = Object.fromEntries(
    ['x-access-mode', 'x-trial-status', 'x-trial-accounting-status', 'x-trial-balance-atomic', 'x-request-id'].map(
      (name) => [name, response.headers.get(name)],
    ),
  );
  const paid = response.headers.get('payment-response') ?? response.headers.get('x-payment-response');
  if (response.status !== 200) {
    const answer = await response.json().catch(() => ({}));
    throw new TrialError(answer.error?.code ?? 'FAILED', answer.error?.message ?? `the answer was ${response.status}`, {
      accounting,
    });
  }
  const confirmed =
    accounting['x-access-mode'] === 'trial' &&
    accounting['x-trial-status'] === 'charged' &&
    accounting['x-trial-accounting-status'] === 'confirmed';
  if (!confirmed || paid !== null)
    throw new TrialError('UNCONFIRMED', 'the accounting is not confirmed', { accounting });
  return { result: await response.json(), accounting };
}

/**
 * Asks for a challenge, signs it, and sends the request once more.
 * @param {TrialOptions} options
 * @returns {Promise<{ result: object, accounting: Record<string, string | null> }>}
 * @throws {TrialError}
 */
export async function tryOperation(options) {
  const send = (headers) =>
    (options.fetch ?? fetch)(options.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(options.body),
      redirect: 'error',
      signal: AbortSignal.timeout(options.timeoutMs ?? 30000),
    });
  const { info, chainId } = readChallenge(await send({}), options);
  const { address } = options.signer;
  const signature = await options.signer.signMessage({ message: signInMessage(info, chainId, address) });
  return readResult(
    await send({ 'sign-in-with-x': toBase64({ ...info, address, chainId, type: 'eip191', signature }) }),
  );
}
