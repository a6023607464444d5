/**
 * Calls an operation with the free credit of a wallet. The client never pays: it sends no payment header, follows no
 * redirect, and stops at every denial, failure or uncertain accounting. It checks every answer, and signs a challenge
 * only if every field belongs to this request. It runs in browsers and Node, without dependencies.
 *
 * @typedef {{ address: string, signMessage: (input: { message: string }) => Promise<string> }} Signer A wallet, such as
 *   an account of viem. `address` has the checksum of EIP-55. `signMessage` makes an EIP-191 signature.
 * @typedef {{ url: string, body: object, signer: Signer, maxQuoteMicroUsd?: bigint, timeoutMs?: number, fetch?: typeof fetch }} TrialOptions
 */

/**
 * The trial did not end with a confirmed result. `mayRetry` is false: neither repeat the request nor pay.
 *
 * `code` is the code of the server's error envelope. If there is none, it is one of:
 * - INVALID_OPTIONS: the options cannot be used
 * - NO_ANSWER: no connection, a time-out, a redirect, or an answer that is too large
 * - NO_CHALLENGE, FAILED: an unexpected status, before or after signing
 * - DENIED: no trial for this request; `details.trial.nextStep` says what to do
 * - MALFORMED_ANSWER: the answer cannot be read
 * - QUOTE_TOO_HIGH, WRONG_QUOTE: the quote exceeds the limit, or contradicts the price
 * - WRONG_CHALLENGE: the challenge does not belong to this request
 * - NOT_SIGNED: the wallet did not sign
 * - UNCONFIRMED: there is a result, but its accounting is not confirmed
 *
 * `details.isSigned` says whether a signed request was sent. Before that, nothing can be charged.
 */
export class TrialError extends Error {
  constructor(code, message, details = {}, cause = undefined) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'TrialError';
    this.code = code;
    this.mayRetry = false;
    this.details = details;
  }
}

const GRANT_MICRO_USD = 50000n;
const LIFETIME_MS = 300_000;
/** The largest accepted difference between the clocks of the server and this machine. */
const SKEW_MS = 60_000;
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const POSITIVE = /^[1-9][0-9]{0,15}$/;
const NOT_NEGATIVE = /^(0|[1-9][0-9]{0,15})$/;
/** A line break in a field could forge lines of the signed text, and other characters beyond ASCII could hide text. */
const ONE_LINE = /^[\x20-\x7e]{1,512}$/;
const ENVELOPE_CODE = /^[A-Z][A-Z0-9_]{0,63}$/;
const ACCOUNTING_HEADERS = [
  'x-access-mode',
  'x-trial-status',
  'x-trial-accounting-status',
  'x-trial-balance-atomic',
  'x-request-id',
];

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value, pattern) => typeof value === 'string' && pattern.test(value);
const toBase64 = (value) => btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(value))));

function fromBase64(text) {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
}

/** The canonical form of a JSON value (RFC 8785). */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
}

async function sha256(text) {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** EIP-4361 text of a challenge. */
function signInMessage(info, chainId, address) {
  return [
    `${info.domain} wants you to sign in with your Ethereum account:`,
    address,
    '',
    info.statement,
    '',
    `URI: ${info.uri}`,
    `Version: ${info.version}`,
    `Chain ID: ${chainId.slice('eip155:'.length)}`,
    `Nonce: ${info.nonce}`,
    `Issued At: ${info.issuedAt}`,
    `Expiration Time: ${info.expirationTime}`,
    `Request ID: ${info.requestId}`,
    'Resources:',
    ...info.resources.map((resource) => `- ${resource}`),
  ].join('\n');
}

/** Checks the options. The body is serialized once, so that both requests send the same bytes. */
async function readOptions(options) {
  const invalid = (what, cause) => new TrialError('INVALID_OPTIONS', what, { isSigned: false }, cause);
  const { signer, maxQuoteMicroUsd = GRANT_MICRO_USD, timeoutMs = 30_000 } = options ?? {};
  if (!isText(signer?.address, /^0x[0-9a-fA-F]{40}$/) || typeof signer.signMessage !== 'function')
    throw invalid('signer needs an address and signMessage');
  if (typeof maxQuoteMicroUsd !== 'bigint') throw invalid('maxQuoteMicroUsd must be a bigint');
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > 2 ** 31 - 1)
    throw invalid('timeoutMs must be a whole number of milliseconds');
  if (!isObject(options.body)) throw invalid('body must be an object');
  try {
    const url = new URL(options.url);
    const body = JSON.stringify(options.body);
    const bodyDigest = await sha256(canonical(JSON.parse(body)));
    return { url, body, bodyDigest, signer, maxQuoteMicroUsd, timeoutMs, send: options.fetch ?? fetch };
  } catch (error) {
    throw invalid('url must be a URL, body must be JSON, and the page must be a secure context', error);
  }
}

/** The whole body as text. Undefined if it is larger than any answer of an operation. */
async function readText(response) {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (const reader = response.body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > MAX_ANSWER_BYTES) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** Sends the request, with or without a proof, and reads the whole answer. */
async function ask({ url, body, timeoutMs, send }, proof) {
  const isSigned = proof !== undefined;
  const failed = (what, cause) => new TrialError('NO_ANSWER', what, { isSigned }, cause);
  let response;
  let text;
  try {
    response = await send(url.href, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(isSigned ? { 'sign-in-with-x': toBase64(proof) } : {}) },
      body,
      redirect: 'error',
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(timeoutMs),
    });
    text = await readText(response);
  } catch (error) {
    throw failed('no whole answer came: no connection, a time-out or a redirect', error);
  }
  if (response.redirected) throw failed('the request was redirected');
  if (text === undefined) throw failed(`the answer is larger than ${MAX_ANSWER_BYTES} bytes`);
  const { status, headers } = response;
  return { status, headers, json: parseJson(text), isSigned };
}

/** Undefined if the text is not JSON, which has no undefined value itself. */
function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readAccounting(headers) {
  return Object.fromEntries(ACCOUNTING_HEADERS.map((name) => [name, headers.get(name)]));
}

/** The `seller-trial` info of a 402 body or header. Undefined if there is none. */
function trialOf(container) {
  const info = container?.extensions?.['seller-trial']?.info;
  return isObject(info) ? info : undefined;
}

function denied(trial, details) {
  const next = trial?.nextStep?.description;
  return new TrialError('DENIED', typeof next === 'string' ? next : 'no trial is offered', { ...details, trial });
}

/** The error for an unexpected answer: from a denial, an error envelope, or only a status. */
function refusal({ status, headers, json, isSigned }) {
  const details = { status, isSigned, accounting: readAccounting(headers) };
  const trial = trialOf(json);
  if (status === 402 && trial !== undefined) return denied(trial, details);
  const { code, message } = isObject(json?.error) ? json.error : {};
  return new TrialError(
    isText(code, ENVELOPE_CODE) ? code : isSigned ? 'FAILED' : 'NO_CHALLENGE',
    typeof message === 'string' ? message : `the answer was ${status}`,
    details,
  );
}

/** The requirements in the header of a 402. */
function readRequired(answer) {
  const header = answer.headers.get('payment-required');
  if (answer.status !== 402 || header === null) throw refusal(answer);
  const malformed = (cause) =>
    new TrialError('MALFORMED_ANSWER', 'PAYMENT-REQUIRED cannot be read', { status: 402, isSigned: false }, cause);
  let required;
  try {
    required = fromBase64(header);
  } catch (error) {
    throw malformed(error);
  }
  if (!isObject(required)) throw malformed();
  return required;
}

function checkQuote(required, trial, maxQuoteMicroUsd) {
  const details = { trial, isSigned: false };
  const { quotedAmountAtomic: quote, coveredByInitialGrant } = trial;
  if (!isText(quote, POSITIVE)) throw new TrialError('MALFORMED_ANSWER', 'the quote is not an amount', details);
  if (!Array.isArray(required.accepts) || required.accepts[0]?.amount !== quote)
    throw new TrialError('WRONG_QUOTE', 'the quote is not the price in accepts', details);
  if (coveredByInitialGrant !== true || BigInt(quote) > GRANT_MICRO_USD || BigInt(quote) > maxQuoteMicroUsd)
    throw new TrialError('QUOTE_TOO_HIGH', 'the quote is not covered', details);
}

/** The fault of a challenge. Undefined if there is none. */
function faultOf(info, { url, bodyDigest }) {
  const { domain, uri, version, nonce, issuedAt, expirationTime, requestId, statement, resources } = info;
  if (domain !== url.host || uri !== url.href || !ONE_LINE.test(uri)) return 'it is for another address';
  if (version !== '1') return 'its version is not 1';
  if (!isText(nonce, /^[A-Za-z0-9]{8,128}$/)) return 'its nonce is malformed';
  if (!isText(statement, ONE_LINE)) return 'its statement is not one line of ASCII';
  if (!isText(requestId, /^[A-Za-z0-9]{1,64}\.[0-9a-f]{64}$/) || !requestId.endsWith(`.${bodyDigest}`))
    return 'it is for another body';
  // Another resource could give rights to someone (EIP-5573).
  if (!Array.isArray(resources) || resources.length !== 2) return 'its resources are not those of this request';
  if (resources[0] !== uri || resources[1] !== 'urn:tollhouse:post')
    return 'its resources are not those of this request';
  if (!isText(issuedAt, INSTANT) || !isText(expirationTime, INSTANT)) return 'its times are malformed';
  const [issuedMs, expiresMs, nowMs] = [Date.parse(issuedAt), Date.parse(expirationTime), Date.now()];
  if (!(expiresMs > nowMs)) return 'it has expired';
  if (!(issuedMs <= nowMs + SKEW_MS)) return 'it was issued in the future, or the clock of this machine is wrong';
  if (!(expiresMs - issuedMs <= LIFETIME_MS)) return 'it lives longer than 300 seconds';
  return undefined;
}

/** The challenge of a 402, after all its fields were checked. */
function readChallenge(answer, wanted) {
  const required = readRequired(answer);
  const trial = trialOf(required);
  if (trial?.status !== 'challenge') throw denied(trial, { status: 402, isSigned: false });
  checkQuote(required, trial, wanted.maxQuoteMicroUsd);
  const { info, supportedChains } = required.extensions['sign-in-with-x'] ?? {};
  const wrong = (what) =>
    new TrialError('WRONG_CHALLENGE', `the challenge is not signed: ${what}`, { info, isSigned: false });
  if (!isObject(info)) throw wrong('it is missing');
  const fault = faultOf(info, wanted);
  if (fault !== undefined) throw wrong(fault);
  const chains = Array.isArray(supportedChains) ? supportedChains : [];
  const chain = chains.find((one) => one?.type === 'eip191' && isText(one.chainId, /^eip155:[1-9][0-9]{0,31}$/));
  if (chain === undefined) throw wrong('it offers no chain that a wallet signs for');
  return { info, chainId: chain.chainId };
}

async function sign({ info, chainId }, { signer }) {
  const { domain, uri, version, nonce, issuedAt, expirationTime, requestId, statement, resources } = info;
  const { address } = signer;
  let signature;
  try {
    signature = await signer.signMessage({ message: signInMessage(info, chainId, address) });
  } catch (error) {
    throw new TrialError('NOT_SIGNED', 'the wallet did not sign', { isSigned: false }, error);
  }
  if (!isText(signature, /^0x[0-9a-fA-F]+$/))
    throw new TrialError('NOT_SIGNED', 'the wallet returned no signature', { isSigned: false });
  // Only signed fields are sent back.
  const signed = { domain, uri, version, nonce, issuedAt, expirationTime, requestId, statement, resources };
  return { ...signed, address, chainId, type: 'eip191', signature };
}

/** The result, after its accounting was confirmed. */
function readResult(answer) {
  const { status, headers, json, isSigned } = answer;
  if (status !== 200) throw refusal(answer);
  const accounting = readAccounting(headers);
  const details = { status, isSigned, accounting };
  const balance = accounting['x-trial-balance-atomic'];
  const isConfirmed =
    accounting['x-access-mode'] === 'trial' &&
    accounting['x-trial-status'] === 'charged' &&
    accounting['x-trial-accounting-status'] === 'confirmed' &&
    (balance === null || NOT_NEGATIVE.test(balance)) &&
    !headers.has('payment-response') &&
    !headers.has('x-payment-response');
  if (!isConfirmed) throw new TrialError('UNCONFIRMED', 'the accounting is not confirmed', details);
  if (!isObject(json)) throw new TrialError('MALFORMED_ANSWER', 'the result is not a JSON object', details);
  return { result: json, accounting };
}

/**
 * Requests a challenge, signs it, and sends the request again with the proof.
 * @param {TrialOptions} options
 * @returns {Promise<{ result: object, accounting: Record<string, string | null> }>}
 * @throws {TrialError}
 */
export async function tryOperation(options) {
  const wanted = await readOptions(options);
  const challenge = readChallenge(await ask(wanted), wanted);
  const proof = await sign(challenge, wanted);
  // A person may take longer to sign than the challenge is valid.
  if (!(Date.parse(proof.expirationTime) > Date.now()))
    throw new TrialError('WRONG_CHALLENGE', 'the challenge expired before it was signed', { isSigned: false });
  return readResult(await ask(wanted, proof));
}
