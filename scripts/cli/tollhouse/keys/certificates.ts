import 'reflect-metadata';
import { randomBytes, webcrypto } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { ROLES, TLS_FILES } from '../../../../services/platform/grpc/identity.ts';
import { hasCode } from '../../../../services/platform/process/system-error.ts';
import { CommandError } from '../../terminal/command.ts';

const EC = { name: 'ECDSA', namedCurve: 'P-256' };
const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' };
const DAY_MS = 86_400_000;
/** Nobody can revoke a certificate but by replacing the authority. A year is long enough to renew by hand. */
const CERTIFICATE_DAYS = 365;
/** Every process must be given a new authority at once, so it lasts. */
const AUTHORITY_DAYS = 3650;
/** One that has less left is replaced. */
const RENEW_DAYS = CERTIFICATE_DAYS / 3;
/** Clocks may differ. */
const EARLIER_MS = 3_600_000;

interface Authority {
  readonly certificate: X509Certificate;
  readonly key: webcrypto.CryptoKey;
}

export interface Certificates {
  /** For TLS_FOLDER. */
  readonly tlsFolder: string;
  readonly authorityKey: string;
  /** The roles whose certificates were made now. */
  readonly created: readonly string[];
}

/**
 * Makes a certificate and a key (P-256) for each role that lacks them or whose certificate ends soon. Makes the authority
 * that signs them unless the folder has one (RFC 5280).
 * @throws {CommandError} if the authority is there without its key
 */
export async function createCertificates(
  folder: string,
  nowMs = Date.now(),
  roles: readonly string[] = ROLES,
): Promise<Certificates> {
  const tlsFolder = join(folder, 'tls');
  const authorityKey = join(folder, 'authority', 'ca.key');
  const created = roles.filter((role) => !isGood(join(tlsFolder, role), nowMs));
  if (created.length > 0) {
    const authority = await openAuthority(join(folder, 'authority'), nowMs);
    for (const role of created) await createCertificate(join(tlsFolder, role), role, authority, nowMs);
  }
  return { tlsFolder, authorityKey, created };
}

function isGood(folder: string, nowMs: number): boolean {
  const text = readIfThere(join(folder, TLS_FILES.certificate));
  return text !== undefined && new X509Certificate(text).notAfter.getTime() > nowMs + RENEW_DAYS * DAY_MS;
}

async function openAuthority(folder: string, nowMs: number): Promise<Authority> {
  const paths = { certificate: join(folder, TLS_FILES.ca), key: join(folder, 'ca.key') };
  const certificate = readIfThere(paths.certificate);
  const key = readIfThere(paths.key);
  if (certificate !== undefined && key !== undefined)
    return { certificate: new X509Certificate(certificate), key: await importKey(key) };
  if (certificate !== undefined || key !== undefined)
    throw new CommandError(`${folder} must have both ca.crt and ca.key, or neither: put back what is missing`);
  const keys = await webcrypto.subtle.generateKey(EC, true, ['sign', 'verify']);
  const made = await X509CertificateGenerator.createSelfSigned(
    {
      ...validity(nowMs, AUTHORITY_DAYS),
      name: 'CN=tollhouse',
      keys,
      signingAlgorithm: SIGNATURE,
      extensions: [
        new BasicConstraintsExtension(true, 0, true),
        new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
        await SubjectKeyIdentifierExtension.create(keys.publicKey, false, webcrypto),
      ],
    },
    webcrypto,
  );
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  write(paths.key, await exportKey(keys.privateKey));
  write(paths.certificate, made.toString('pem'));
  return { certificate: made, key: keys.privateKey };
}

async function createCertificate(folder: string, role: string, authority: Authority, nowMs: number): Promise<void> {
  const { publicKey, privateKey } = await webcrypto.subtle.generateKey(EC, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.create(
    {
      ...validity(nowMs, CERTIFICATE_DAYS),
      subject: `CN=${role}`,
      issuer: authority.certificate.subject,
      publicKey,
      signingKey: authority.key,
      signingAlgorithm: SIGNATURE,
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth, ExtendedKeyUsage.clientAuth]),
        new SubjectAlternativeNameExtension([{ type: 'dns', value: role }]),
        await SubjectKeyIdentifierExtension.create(publicKey, false, webcrypto),
        await AuthorityKeyIdentifierExtension.create(authority.certificate.publicKey, false, webcrypto),
      ],
    },
    webcrypto,
  );
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  write(join(folder, TLS_FILES.key), await exportKey(privateKey));
  write(join(folder, TLS_FILES.certificate), certificate.toString('pem'));
  write(join(folder, TLS_FILES.ca), authority.certificate.toString('pem'));
}

const validity = (nowMs: number, days: number) => ({
  serialNumber: randomBytes(16).toString('hex'),
  notBefore: new Date(nowMs - EARLIER_MS),
  notAfter: new Date(nowMs + days * DAY_MS),
});

const exportKey = async (key: webcrypto.CryptoKey): Promise<string> =>
  PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');

const importKey = (pem: string): Promise<webcrypto.CryptoKey> =>
  webcrypto.subtle.importKey('pkcs8', PemConverter.decodeFirst(pem), EC, true, ['sign']);

/** Replaces a file that a process may be reading. Only its owner can read it. Files of PEM can be joined. */
function write(path: string, pem: string): void {
  const next = `${path}.new`;
  rmSync(next, { force: true });
  writeFileSync(next, `${pem}\n`, { flag: 'wx', mode: 0o600, flush: true });
  renameSync(next, path);
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
