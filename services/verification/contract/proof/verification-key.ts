import { areSameBytes, concatBytes, toHex } from './bytes.ts';
import { ProofError } from './proof-error.ts';
import { sha256 } from './sha256.ts';

/** The public key of an issuer or of a log (Ed25519). */
export interface VerificationKey {
  /** SHA-256 of the key's SubjectPublicKeyInfo in DER (44 bytes; RFC 8410), in lower-case hex. */
  readonly keyid: string;
  /** 32 bytes (RFC 8032, section 5.1.5). */
  readonly raw: Uint8Array;
}

const SPKI_PREFIX = Uint8Array.of(0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00);

/** Little-endian y of the eight points with an order that divides 8, without the sign of x. */
const SMALL_ORDER_Y: ReadonlySet<string> = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
]);

/** @throws {ProofError} KEY_INVALID, as `rawKeyOf` */
export async function fromSpki(spki: Uint8Array): Promise<VerificationKey> {
  const raw = rawKeyOf(spki);
  return { keyid: toHex(await sha256(spki)), raw };
}

/** SubjectPublicKeyInfo in DER. */
export function toSpki({ raw }: Pick<VerificationKey, 'raw'>): Uint8Array<ArrayBuffer> {
  return concatBytes(SPKI_PREFIX, raw);
}

/**
 * The 32 bytes of a key. Refuses small-order points, for which one signature is valid for many messages, and y of
 * 2^255 - 19 or more, which is a second encoding of another key. WebCrypto may accept both, and implementations differ in
 * what they verify with them. Points off the curve verify nothing, and only its owner could exploit a key with a
 * small-order component, so neither is checked.
 * @throws {ProofError} KEY_INVALID
 */
export function rawKeyOf(spki: Uint8Array): Uint8Array<ArrayBuffer> {
  if (!areSameBytes(spki.subarray(0, SPKI_PREFIX.length), SPKI_PREFIX)) {
    throw new ProofError('KEY_INVALID', 'not the SubjectPublicKeyInfo of an Ed25519 key');
  }
  const raw = new Uint8Array(spki.subarray(SPKI_PREFIX.length));
  if (raw.length !== 32) throw new ProofError('KEY_INVALID', 'a key has 32 bytes');
  const y = Uint8Array.from(raw, (byte, at) => (at === 31 ? byte & 0x7f : byte));
  if (SMALL_ORDER_Y.has(toHex(y))) throw new ProofError('KEY_INVALID', 'the key is a small-order point');
  if (!isBelowPrime(y)) throw new ProofError('KEY_INVALID', 'the key is not in its canonical encoding');
  return raw;
}

/** 2^255 - 19 is ed ff … ff 7f. */
function isBelowPrime(y: Uint8Array): boolean {
  const [first = 0] = y;
  return first < 0xed || y[31] !== 0x7f || y.subarray(1, 31).some((byte) => byte !== 0xff);
}

/**
 * Whether `signature` is a valid signature of the key over `bytes` (RFC 8032, section 5.1.7, without the cofactor).
 * Implementations refuse lengths other than 64 bytes and S beyond the group order, and compare R as bytes. So a signature
 * cannot be changed into another valid one.
 */
export async function isSignedBy(key: VerificationKey, bytes: Uint8Array, signature: Uint8Array): Promise<boolean> {
  const imported = await crypto.subtle.importKey('raw', new Uint8Array(key.raw), 'Ed25519', false, ['verify']);
  return crypto.subtle.verify('Ed25519', imported, new Uint8Array(signature), new Uint8Array(bytes));
}
