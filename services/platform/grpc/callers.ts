import { X509Certificate } from 'node:crypto';
import type { PeerCertificate } from 'node:tls';
import {
  ResponderBuilder,
  ServerInterceptingCall,
  type ServerInterceptor,
  ServerListenerBuilder,
  type ServiceDefinition,
  status,
} from '@grpc/grpc-js';
import type { Logger } from '../process/logger.ts';
import { createRepeatedErrorLog } from '../process/repeated-errors.ts';
import { hasRole, ROLES, type Role } from './identity.ts';

/** Which methods each role may call over TLS. */
export type Callers = Readonly<Partial<Record<Role, 'all' | readonly string[]>>>;

export interface CallableService {
  readonly service: ServiceDefinition;
  readonly callers?: Callers | undefined;
}

/** Everyone with a certificate may ask for health, and which services there are. */
const OPEN_TO_ALL = /^\/grpc\.(?:health|reflection)\./;

/** Certificates whose names are remembered. */
const MAX_REMEMBERED = 100;

/** Refuses calls whose caller's certificate has no name that may call the method. */
export function createCallerCheck(served: readonly CallableService[], logger: Logger): ServerInterceptor {
  const allowed = allowedPaths(served);
  const logRefusal = createRepeatedErrorLog({ logger, message: 'a call was refused' });
  const rolesOf = rememberRoles();
  return ({ path }, call) => {
    const certificate = call.getAuthContext().sslPeerCertificate;
    const roles = certificate === undefined ? [] : rolesOf(certificate);
    if (OPEN_TO_ALL.test(path) || allowed.get(path)?.some((role) => roles.includes(role)))
      return new ServerInterceptingCall(call);
    const details = `${certificate?.subjectaltname ?? 'nobody'} may not call ${path}`;
    logRefusal(new Error(details), { kind: details, fields: { peer: call.getPeer() } });
    const listener = new ServerListenerBuilder()
      .withOnReceiveMetadata(() => call.sendStatus({ code: status.PERMISSION_DENIED, details }))
      .build();
    return new ServerInterceptingCall(call, new ResponderBuilder().withStart((next) => next(listener)).build());
  };
}

/** Reads the roles that certificates name. To parse one takes as long as a fifth of a small call. */
function rememberRoles(): (certificate: PeerCertificate) => readonly Role[] {
  const known = new Map<string, readonly Role[]>();
  return ({ fingerprint256, raw }) => {
    const found = known.get(fingerprint256);
    if (found !== undefined) return found;
    const parsed = new X509Certificate(raw);
    const roles = ROLES.filter((role) => hasRole(parsed, role));
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(fingerprint256, roles);
    return roles;
  };
}

function allowedPaths(served: readonly CallableService[]): ReadonlyMap<string, readonly Role[]> {
  const paths = new Map<string, Role[]>();
  for (const { service, callers = {} } of served) {
    for (const role of ROLES) {
      const methods = callers[role] ?? [];
      for (const name of methods === 'all' ? Object.keys(service) : methods) {
        const path = service[name]?.path;
        if (path === undefined) throw new Error(`there is no method ${name} that ${role} may call`);
        paths.set(path, [...(paths.get(path) ?? []), role]);
      }
    }
  }
  return paths;
}
