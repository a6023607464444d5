import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Hex } from 'viem';
import { CHALLENGE_LIFETIME_MS } from '../../../services/ledger/contract/trial-terms.ts';
import { parseProof } from './proof.ts';
import { createRandomHex } from './random-hex.ts';
import { recoverSigner } from './signature.ts';
import { type ChallengeInfo, formatSiwxMessage } from './siwx-message.ts';

/** The request that a challenge is for. */
export interface ChallengedRequest {
  /** Public URL of the operation. */
  readonly uri: string;
  /** Host of that URL, with its port unless it is the default one. */
  readonly domain: string;
  readonly method: string;
  /** SHA-256, in hex, of the canonical body. */
  readonly bodyDigest: string;
}

export interface VerifiedProof {
  readonly ok: true;
  /** With checksum (EIP-55). */
  readonly wallet: Hex;
  readonly nonce: string;
  readonly expirationTimeMs: number;
}

export interface RefusedProof {
  readonly ok: false;
  readonly code: 'MALFORMED_PROOF' | 'INVALID_PROOF' | 'WRONG_RESOURCE' | 'EXPIRED_PROOF';
  readonly message: string;
}

export interface ChallengerOptions {
  /** At least one, of 32 bytes or more. The first signs, all are accepted, so that keys can be changed. */
  readonly keys: readonly Uint8Array[];
  /** Makes a proof for one deployment, such as the sandbox, invalid in any other. */
  readonly deploymentId: string;
  /** CAIP-2 chains that a wallet may sign in with, such as eip155:8453. */
  readonly chains: readonly string[];
  readonly now: () => number;
}

/** Issues and verifies sign-in challenges. It stores nothing: a flood of requests for challenges costs no memory. */
export interface Challenger {
  issue(request: ChallengedRequest): ChallengeInfo;
  /** Verifies everything but the reuse of the nonce, which the ledger checks. */
  verify(header: string, request: ChallengedRequest): VerifiedProof | RefusedProof;
}

/** Largest difference between the clocks of two gateways that share keys. */
const SKEW_MS = 30_000;
const MIN_KEY_BYTES = 32;
const NONCE_BYTES = 16;
const RANDOM_BYTES = 12;
/** ASCII without quotes and percent signs, which EIP-4361 or the official client refuse. */
const STATEMENT = 'Use free trial credit for one API call. This is not a payment.';

export function createChallenger({ keys, deploymentId, chains, now }: ChallengerOptions): Challenger {
  const secrets = keys.map(toSecret);
  const [signingKey] = secrets;
  if (signingKey === undefined) throw new RangeError('a challenger needs a key');
  const context = JSON.stringify(['tollhouse.challenge.v1', deploymentId, chains]);
  const randomHex = createRandomHex(RANDOM_BYTES);

  /** The nonce is the MAC of all other fields, in an unambiguous form. The wallet signs it with them. */
  function nonceOf(key: KeyObject, info: Omit<ChallengeInfo, 'nonce'>): Buffer {
    const { domain, uri, version, issuedAt, expirationTime, requestId, statement, resources } = info;
    const fields = JSON.stringify([domain, uri, version, issuedAt, expirationTime, requestId, statement, resources]);
    return createHmac('sha256', key).update(context).update(fields).digest().subarray(0, NONCE_BYTES);
  }

  function isOurs(info: ChallengeInfo): boolean {
    if (!/^[0-9a-f]{32}$/.test(info.nonce)) return false;
    const nonce = Buffer.from(info.nonce, 'hex');
    return secrets.some((key) => timingSafeEqual(nonce, nonceOf(key, info)));
  }

  return {
    issue(request) {
      const info = describeChallenge(request, { issuedAtMs: now(), random: randomHex() });
      return { ...info, nonce: nonceOf(signingKey, info).toString('hex') };
    },

    // Cheap checks come first, so that nobody makes the gateway recover signers for free.
    verify(header, request) {
      const proof = parseProof(header);
      if (typeof proof === 'string') return refuse('MALFORMED_PROOF', `the proof is malformed: ${proof}`);
      const { info, wallet, chainId, signature } = proof;
      if (!isOurs(info)) return refuse('INVALID_PROOF', 'the challenge was not issued here, or it was altered');
      if (!isFor(info, request))
        return refuse('WRONG_RESOURCE', 'the challenge was issued for another URL, method or body');
      const nowMs = now();
      const expirationTimeMs = Date.parse(info.expirationTime);
      if (nowMs > expirationTimeMs) return refuse('EXPIRED_PROOF', 'the challenge has expired; ask for a new one');
      if (Date.parse(info.issuedAt) > nowMs + SKEW_MS)
        return refuse('EXPIRED_PROOF', 'the challenge was issued in the future');
      if (!chains.includes(chainId)) return refuse('INVALID_PROOF', 'the chain was not offered');
      if (signature.kind === 'contract') return refuse('INVALID_PROOF', 'contract wallets cannot sign in');
      const message = formatSiwxMessage(info, wallet, chainId.slice(chainId.indexOf(':') + 1));
      if (recoverSigner(message, signature) !== wallet)
        return refuse('INVALID_PROOF', 'the signature is not by the address');
      return { ok: true, wallet, nonce: info.nonce, expirationTimeMs };
    },
  };
}

/** A challenge without its nonce. */
function describeChallenge(
  { uri, domain, method, bodyDigest }: ChallengedRequest,
  { issuedAtMs, random }: { readonly issuedAtMs: number; readonly random: string },
): Omit<ChallengeInfo, 'nonce'> {
  return {
    domain,
    uri,
    version: '1',
    issuedAt: new Date(issuedAtMs).toISOString(),
    expirationTime: new Date(issuedAtMs + CHALLENGE_LIFETIME_MS).toISOString(),
    requestId: `${random}.${bodyDigest}`,
    statement: STATEMENT,
    resources: [uri, resourceOf(method)],
  };
}

/** A challenge that is as long as every challenge for POST at a URL. It cannot be signed in with. */
export function longestChallenge({ uri, domain }: Pick<ChallengedRequest, 'uri' | 'domain'>): ChallengeInfo {
  const request = { uri, domain, method: 'POST', bodyDigest: '0'.repeat(64) };
  const info = describeChallenge(request, { issuedAtMs: 0, random: '0'.repeat(2 * RANDOM_BYTES) });
  return { ...info, nonce: '0'.repeat(2 * NONCE_BYTES) };
}

function toSecret(key: Uint8Array): KeyObject {
  if (key.length < MIN_KEY_BYTES) throw new RangeError(`a challenge key has at least ${MIN_KEY_BYTES} bytes`);
  return createSecretKey(key);
}

function resourceOf(method: string): string {
  return `urn:tollhouse:${method.toLowerCase()}`;
}

function isFor(info: ChallengeInfo, { uri, domain, method, bodyDigest }: ChallengedRequest): boolean {
  const digest = info.requestId.slice(info.requestId.indexOf('.') + 1);
  return (
    info.uri === uri && info.domain === domain && info.resources[1] === resourceOf(method) && digest === bodyDigest
  );
}

function refuse(code: RefusedProof['code'], message: string): RefusedProof {
  return { ok: false, code, message };
}
