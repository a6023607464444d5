import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const HOST = 'localhost';
const DAY_MS = 86_400_000;

/** Object identifiers in DER: ecdsa-with-SHA256 (RFC 5758), commonName and subjectAltName (RFC 5280). */
const ECDSA_WITH_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex');
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const SUBJECT_ALT_NAME = Buffer.from('0603551d11', 'hex');

export interface Certificate {
  /** PEM. */
  readonly cert: string;
  /** PEM, PKCS #8. */
  readonly key: string;
}

/** A new certificate of localhost (RFC 5280), signed by its own key and valid for a day. Node itself only reads them. */
export function createCertificate(nowMs = Date.now()): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(ECDSA_WITH_SHA256);
  const name = sequence(tag(0x31, sequence(COMMON_NAME, tag(0x0c, Buffer.from(HOST)))));
  const altNames = sequence(tag(0x82, Buffer.from(HOST)));
  const signed = sequence(
    tag(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name,
    sequence(time(nowMs - DAY_MS), time(nowMs + DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tag(0xa3, sequence(sequence(SUBJECT_ALT_NAME, tag(0x04, altNames)))),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', signed, privateKey)]);
  const base64 = sequence(signed, algorithm, tag(0x03, signature)).toString('base64');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replaceAll(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** A value in DER (X.690): its tag, its length, its content. */
function tag(type: number, content: Buffer): Buffer {
  const { length } = content;
  const bytes = length < 0x100 ? [length] : [length >> 8, length & 0xff];
  const size = length < 0x80 ? bytes : [0x80 | bytes.length, ...bytes];
  return Buffer.concat([Buffer.from([type, ...size]), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => tag(0x30, Buffer.concat(parts));
const integer = (bytes: Buffer): Buffer => tag(0x02, bytes);

/** UTCTime, such as 260131235959Z. */
const time = (ms: number): Buffer =>
  tag(
    0x17,
    Buffer.from(
      `${new Date(ms)
        .toISOString()
        .replaceAll(/[-:T]|\.\d+/g, '')
        .slice(2)}`,
    ),
  );
