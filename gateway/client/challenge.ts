import { type ChallengeInfo, formatSiwxMessage } from '../access/challenge/siwx-message.ts';
import type { TrialSigner } from './connection.ts';
import type { Request } from './http.ts';
import { isText, membersOf, toBase64 } from './values.ts';

interface Challenge {
  readonly info: ChallengeInfo;
  /** CAIP-2. */
  readonly chainId: string;
}

const LIFETIME_MS = 300_000;
/** The largest accepted difference between the clocks of the server and this machine. */
const SKEW_MS = 60_000;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** A line break in a field could forge lines of the signed text, and other characters beyond ASCII could hide text. */
const ONE_LINE = /^[\x20-\x7e]{1,512}$/;

/** The challenge of a 402 for this request, or what is wrong with it. */
export function readChallenge(required: Readonly<Record<string, unknown>>, request: Request): Challenge | string {
  const { info, supportedChains } = membersOf(membersOf(required['extensions'])['sign-in-with-x']);
  const checked = readInfo(membersOf(info), request);
  if (typeof checked === 'string') return checked;
  for (const { type, chainId } of Array.isArray(supportedChains) ? supportedChains.map(membersOf) : [])
    if (type === 'eip191' && isText(chainId, /^eip155:[1-9][0-9]{0,31}$/)) return { info: checked, chainId };
  return 'it offers no chain that a wallet signs for';
}

function readInfo(
  info: Readonly<Record<string, unknown>>,
  { url, bodyDigest }: Pick<Request, 'url' | 'bodyDigest'>,
): ChallengeInfo | string {
  const { domain, uri, version, nonce, issuedAt, expirationTime, requestId, statement, resources } = info;
  if (domain !== url.host || uri !== url.href || !ONE_LINE.test(uri)) return 'it is for another address';
  if (version !== '1') return 'its version is not 1';
  if (!isText(nonce, /^[A-Za-z0-9]{8,128}$/)) return 'its nonce is malformed';
  if (!isText(statement, ONE_LINE)) return 'its statement is not one line of ASCII';
  if (!isText(requestId, /^[A-Za-z0-9]{1,64}\.[0-9a-f]{64}$/) || !requestId.endsWith(`.${bodyDigest}`))
    return 'it is for another body';
  // Another resource could give rights to someone (EIP-5573).
  const expected = [uri, 'urn:tollhouse:post'];
  if (JSON.stringify(resources) !== JSON.stringify(expected)) return 'its resources are not those of this request';
  if (!isText(issuedAt, INSTANT) || !isText(expirationTime, INSTANT)) return 'its times are malformed';
  const [issuedMs, expiresMs, nowMs] = [Date.parse(issuedAt), Date.parse(expirationTime), Date.now()];
  if (!(expiresMs > nowMs)) return 'it has expired';
  if (!(issuedMs <= nowMs + SKEW_MS)) return 'it was issued in the future, or the clock of this machine is wrong';
  if (!(expiresMs - issuedMs <= LIFETIME_MS)) return 'it lives longer than 300 seconds';
  return { domain, uri, version, nonce, issuedAt, expirationTime, requestId, statement, resources: expected };
}

/**
 * The value of SIGN-IN-WITH-X. Undefined if the wallet took longer to sign than the challenge is valid.
 * @throws the error of the wallet
 */
export async function signChallenge({ info, chainId }: Challenge, signer: TrialSigner): Promise<string | undefined> {
  const { address } = signer;
  const message = formatSiwxMessage(info, address, chainId.slice('eip155:'.length));
  const signature = await signer.signMessage({ message });
  if (!isText(signature, /^0x[0-9a-fA-F]+$/)) throw new TypeError('the wallet returned no signature');
  if (!(Date.parse(info.expirationTime) > Date.now())) return undefined;
  return toBase64({ ...info, address, chainId, type: 'eip191', signature });
}
