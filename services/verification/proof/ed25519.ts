import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { ProofError } from './proof-error.ts';

export interface VerificationKey {
  /** SHA-256 of the key's SubjectPublicKeyInfo in DER (44 bytes; RFC 8410), in lower-case hex. */
  readonly keyid: string;
  /** 32 bytes (RFC 8032, section 5.1.5). */
  readonly raw: Buffer;
  readonly publicKey: KeyObject;
}

export interface SigningKey extends VerificationKey {
  readonly privateKey: KeyObject;
}

const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Little-endian y of the eight points with an order that divides 8, without the sign of x. */
const SMALL_ORDER_Y: ReadonlySet<string> = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
]);

/**
 * Creates a key from its 32 bytes. Refuses small-order points, for which one signature is valid for many messages, and y
 * of 2^255 - 19 or more, which is a second encoding of another key. node:crypto accepts both, and versions of OpenSSL
 * differ in what they verify with them. Points off the curve verify nothing, and only its owner could exploit a key with
 * a small-order component, so neither is checked.
 * @throws {ProofError} KEY_INVALID
 */
export function verificationKey(raw: Uint8Array): VerificationKey {
  if (raw.length !== 32) throw new ProofError('KEY_INVALID', 'a key has 32 bytes');
  const bytes = Buffer.from(raw);
  const y = Buffer.from(raw);
  y.writeUInt8(y.readUInt8(31) & 0x7f, 31);
  if (SMALL_ORDER_Y.has(y.toString('hex'))) throw new ProofError('KEY_INVALID', 'the key is a small-order point');
  if (!isBelowPrime(y)) throw new ProofError('KEY_INVALID', 'the key is not in its canonical encoding');
  const spki = Buffer.concat([SPKI_PREFIX, bytes]);
  return {
    keyid: hash('sha256', spki),
    raw: bytes,
    publicKey: createPublicKey({ key: spki, format: 'der', type: 'spki' }),
  };
}

/** 2^255 - 19 is ed ff … ff 7f. */
function isBelowPrime(y: Buffer): boolean {
  return y.readUInt8(0) < 0xed || y.readUInt8(31) !== 0x7f || y.subarray(1, 31).some((byte) => byte !== 0xff);
}

/** SubjectPublicKeyInfo in DER. */
export function toSpki(key: VerificationKey): Buffer {
  return Buffer.concat([SPKI_PREFIX, key.raw]);
}

/** @throws {ProofError} KEY_INVALID */
export function fromSpki(spki: Uint8Array): VerificationKey {
  const prefix = spki.subarray(0, SPKI_PREFIX.length);
  if (!SPKI_PREFIX.equals(prefix))
    throw new ProofError('KEY_INVALID', 'not the SubjectPublicKeyInfo of an Ed25519 key');
  return verificationKey(spki.subarray(SPKI_PREFIX.length));
}

export function generateSigningKey(): SigningKey {
  return withPublicKey(generateKeyPairSync('ed25519').privateKey);
}

/** Creates a key pair from its seed of 32 bytes, such as that of `readOrCreateSecret`. @throws {ProofError} KEY_INVALID */
export function signingKeyFromSeed(seed: Uint8Array): SigningKey {
  if (seed.length !== 32) throw new ProofError('KEY_INVALID', 'a seed has 32 bytes');
  return withPublicKey(createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' }));
}

/** Reads a key pair from an unencrypted private key in PEM (PKCS #8). @throws {ProofError} KEY_INVALID */
export function signingKeyFromPem(pem: string): SigningKey {
  let privateKey: KeyObject;
  try {
    privateKey = createPrivateKey(pem);
  } catch {
    // The cause is left out: the message of OpenSSL may contain the key.
    throw new ProofError('KEY_INVALID', 'not a private key in PEM');
  }
  return withPublicKey(privateKey);
}

function withPublicKey(privateKey: KeyObject): SigningKey {
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  return { ...fromSpki(spki), privateKey };
}

/** @returns a signature of 64 bytes */
export function signBytes(key: SigningKey, bytes: Uint8Array): Buffer {
  return sign(null, bytes, key.privateKey);
}

/**
 * Whether `signature` is a valid signature of the key over `bytes` (RFC 8032, section 5.1.7, without the cofactor).
 * OpenSSL refuses lengths other than 64 bytes and S beyond the group order, and compares R as bytes. So a signature
 * cannot be changed into another valid one.
 */
export function isSignedBy(key: VerificationKey, bytes: Uint8Array, signature: Uint8Array): boolean {
  return verify(null, bytes, key.publicKey, signature);
}
