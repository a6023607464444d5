import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { experimental } from '@grpc/grpc-js';
import { Type } from 'typebox';
import { ConfigurationError } from '../process/environment.ts';
import type { Logger } from '../process/logger.ts';
import { createRepeatedErrorLog } from '../process/repeated-errors.ts';
import { isLocalAddress } from '../process/settings.ts';

/** Names in certificates: the processes, the command line, and programs that call the services themselves. */
export const ROLES = [
  'gateway',
  'content',
  'maps',
  'payments',
  'backoffice',
  'verification',
  'operator',
  'client',
] as const;

export type Role = (typeof ROLES)[number];

/** The files of a role in TLS_FOLDER/ROLE, as Kubernetes names those of a secret. */
export const TLS_FILES = { ca: 'ca.crt', certificate: 'tls.crt', key: 'tls.key' } as const;

export const TlsConfig = {
  TLS_FOLDER: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'folder with certificates for gRPC over a network, in a folder for each process: ca.crt, tls.crt and tls.key. `tollhouse keys create` makes them. Required for addresses beyond this machine',
    }),
  ),
};

const REFRESH_MS = 10_000;
const EXPIRES_SOON_MS = 30 * 86_400_000;

interface CertificateFiles {
  /** PEM, each. */
  readonly ca: Buffer;
  readonly certificate: Buffer;
  readonly key: Buffer;
  readonly expiresAtMs: number;
}

/** What a process shows to others over TLS, and whom it believes. */
export interface Identity {
  readonly provider: experimental.CertificateProvider;
  /** Reads the files again every 10 s. Files that cannot be used are logged, and the last ones stay in use. */
  watch(logger: Logger): void;
}

/**
 * Reads the certificates of `role`, if one of its addresses is not a Unix socket.
 *
 * @param addresses by the names of their variables
 * @returns undefined for plaintext, which stays on this machine
 * @throws {ConfigurationError} if an address is beyond this machine and TLS_FOLDER is not set, or for wrong files
 */
export function readIdentity(
  role: Role,
  { TLS_FOLDER }: { readonly TLS_FOLDER?: string | undefined },
  addresses: Readonly<Record<string, string>>,
): Identity | undefined {
  if (TLS_FOLDER !== undefined) {
    const isUsed = Object.values(addresses).some((address) => !isSocket(address));
    return isUsed ? createIdentity(role, TLS_FOLDER) : undefined;
  }
  const faults = Object.entries(addresses)
    .filter(([, address]) => !isLocalAddress(address))
    .map(
      ([name, address]) =>
        `${name}: found ${JSON.stringify(address)}, which is beyond this machine; set TLS_FOLDER, or use loopback or unix:path`,
    );
  if (faults.length > 0) throw new ConfigurationError(faults);
  return undefined;
}

export const isSocket = (address: string): boolean => address.startsWith('unix:');

/** @param refreshMs time between two readings @throws {ConfigurationError} */
export function createIdentity(role: Role, tlsFolder: string, refreshMs = REFRESH_MS): Identity {
  const folder = join(tlsFolder, role);
  let current = readFiles(role, folder);
  const onCa = new Set<experimental.CaCertificateUpdateListener>();
  const onIdentity = new Set<experimental.IdentityCertificateUpdateListener>();
  const caUpdate = () => ({ caCertificate: current.ca });
  const identityUpdate = () => ({ certificate: current.certificate, privateKey: current.key });

  function refresh(logger: Logger, logFault: (error: unknown) => void): void {
    try {
      const found = readFiles(role, folder);
      const isNew = (['ca', 'certificate', 'key'] as const).some((name) => !found[name].equals(current[name]));
      if (isNew) {
        current = found;
        for (const listener of onCa) listener(caUpdate());
        for (const listener of onIdentity) listener(identityUpdate());
        logger.info({ expiresAt: new Date(current.expiresAtMs) }, 'new certificates are in use');
      }
    } catch (error) {
      logFault(error);
    }
    if (current.expiresAtMs - Date.now() < EXPIRES_SOON_MS)
      logFault(new Error(`the certificate in ${folder} expires on ${new Date(current.expiresAtMs).toISOString()}`));
  }

  return {
    provider: {
      // A server would miss an update that comes before it has added its listeners.
      addCaCertificateListener(listener) {
        onCa.add(listener);
        process.nextTick(() => listener(caUpdate()));
      },
      removeCaCertificateListener: (listener) => void onCa.delete(listener),
      addIdentityCertificateListener(listener) {
        onIdentity.add(listener);
        process.nextTick(() => listener(identityUpdate()));
      },
      removeIdentityCertificateListener: (listener) => void onIdentity.delete(listener),
    },
    watch(logger) {
      const logFault = createRepeatedErrorLog({
        logger,
        message: 'the certificates need attention',
        everyMs: 360 * refreshMs,
      });
      setInterval(() => refresh(logger, logFault), refreshMs).unref();
    },
  };
}

/** @throws {ConfigurationError} if they cannot be read, do not belong together or are not those of the role */
function readFiles(role: Role, folder: string): CertificateFiles {
  const wrong = (what: string, cause?: unknown) =>
    new ConfigurationError(`TLS_FOLDER: the certificates in ${folder} cannot be used: ${what}`, { cause });
  try {
    const [ca, certificate, key] = [TLS_FILES.ca, TLS_FILES.certificate, TLS_FILES.key].map((file) =>
      readFileSync(join(folder, file)),
    ) as [Buffer, Buffer, Buffer];
    const parsed = new X509Certificate(certificate);
    const expiresAtMs = Date.parse(parsed.validTo);
    createSecureContext({ ca, cert: certificate, key });
    if (!parsed.checkPrivateKey(createPrivateKey(key))) throw wrong('tls.key is not the key of tls.crt');
    if (!hasRole(parsed, role)) throw wrong(`tls.crt does not have the DNS name ${role}`);
    if (expiresAtMs <= Date.now()) throw wrong(`tls.crt has expired on ${parsed.validTo}`);
    return { ca, certificate, key, expiresAtMs };
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    throw wrong(error instanceof Error ? error.message : String(error), error);
  }
}

/** Whether a certificate names the role, as a DNS name of its own. */
export const hasRole = (certificate: X509Certificate, role: Role): boolean =>
  certificate.checkHost(role, { subject: 'never', wildcards: false }) !== undefined;

/** Where a service is: an address, with what its connections need if they are encrypted. */
export type GrpcTarget = string | SecureTarget;

export interface SecureTarget {
  readonly address: string;
  /** The name that the certificate of the service must have, at any address. */
  readonly service: Role;
  readonly identity: Identity;
}

/** Unix sockets are not encrypted. */
export const targetOf = (identity: Identity | undefined, service: Role, address: string): GrpcTarget =>
  identity === undefined || isSocket(address) ? address : { address, service, identity };
