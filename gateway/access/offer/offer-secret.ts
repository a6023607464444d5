import { createHash, createHmac, createSecretKey, randomFillSync, timingSafeEqual } from 'node:crypto';

/**
 * Makes the secrets of offers. A client echoes the offer that it accepts, secret included, so a secret shows that a
 * later request comes from whoever paid: unlike the payment's signature and authorization, it never reaches the chain.
 */
export interface OfferSecrets {
  /** A new secret: 48 characters of base64url. Nothing is stored: a flood of requests for offers costs no memory. */
  create(): string;
  /** SHA-256 of a secret that this deployment made. Undefined for any other value. */
  hashOf(secret: unknown): Buffer | undefined;
}

/** Member of `accepts[].extra` that holds the secret. */
export const OFFER_SECRET = 'offerSecret';
/** Characters of a secret. */
export const OFFER_SECRET_LENGTH = 48;

const RANDOM_BYTES = 18;
const MAC_BYTES = 18;
const POOL_BYTES = 8192 - (8192 % RANDOM_BYTES);
const FORM = new RegExp(`^[A-Za-z0-9_-]{${OFFER_SECRET_LENGTH}}$`);

export interface OfferSecretsOptions {
  /** At least one, of 32 bytes or more. The first makes secrets, all are accepted, so that keys can be changed. */
  readonly keys: readonly Uint8Array[];
  /** Makes the secrets of one deployment, such as the sandbox, invalid in any other. */
  readonly deploymentId: string;
}

export function createOfferSecrets({ keys, deploymentId }: OfferSecretsOptions): OfferSecrets {
  const secretKeys = keys.map((key) => createSecretKey(key));
  const [currentKey] = secretKeys;
  if (currentKey === undefined) throw new RangeError('offer secrets need a key');
  const context = `tollhouse.offer.v1\0${deploymentId}\0`;
  const macOf = (key: typeof currentKey, random: Buffer) =>
    createHmac('sha256', key).update(context).update(random).digest().subarray(0, MAC_BYTES);
  const nextRandom = createRandomBytes();

  return {
    create() {
      const random = nextRandom();
      return Buffer.concat([random, macOf(currentKey, random)]).toString('base64url');
    },
    hashOf(secret) {
      if (typeof secret !== 'string' || !FORM.test(secret)) return undefined;
      const bytes = Buffer.from(secret, 'base64url');
      const random = bytes.subarray(0, RANDOM_BYTES);
      const mac = bytes.subarray(RANDOM_BYTES);
      const isOurs = secretKeys.some((key) => timingSafeEqual(mac, macOf(key, random)));
      return isOurs ? createHash('sha256').update(secret).digest() : undefined;
    },
  };
}

/** One system call serves hundreds of secrets. */
function createRandomBytes(): () => Buffer {
  const pool = Buffer.alloc(POOL_BYTES);
  let next = POOL_BYTES;
  return () => {
    if (next === POOL_BYTES) {
      randomFillSync(pool);
      next = 0;
    }
    next += RANDOM_BYTES;
    return Buffer.from(pool.subarray(next - RANDOM_BYTES, next));
  };
}
