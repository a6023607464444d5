import { X509Certificate } from 'node:crypto';
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

/** Refuses calls whose caller's certificate has no name that may call the method. */
export function createCallerCheck(served: readonly CallableService[], logger: Logger): ServerInterceptor {
  const allowed = allowedPaths(served);
  const logRefusal = createRepeatedErrorLog({ logger, message: 'a call was refused' });
  return ({ path }, call) => {
    const accepted = () => new ServerInterceptingCall(call);
    if (OPEN_TO_ALL.test(path)) return accepted();
    const raw = call.getAuthContext().sslPeerCertificate?.raw;
    const certificate = raw && new X509Certificate(raw);
    if (certificate && allowed.get(path)?.some((role) => hasRole(certificate, role))) return accepted();
    const name = certificate?.subjectAltName ?? 'nobody';
    const details = `${name} may not call ${path}`;
    logRefusal(new Error(details), { kind: details, fields: { peer: call.getPeer() } });
    const listener = new ServerListenerBuilder()
      .withOnReceiveMetadata(() => call.sendStatus({ code: status.PERMISSION_DENIED, details }))
      .build();
    return new ServerInterceptingCall(call, new ResponderBuilder().withStart((next) => next(listener)).build());
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
