import type { FastifyRequest } from 'fastify';
import type { OperatorKeys } from '../../services/backoffice/contract/operator-keys.ts';
import { requireOperator } from '../../services/backoffice/contract/require-operator.ts';
import { ServiceError } from '../../services/platform/grpc/service-error.ts';
import type { Logger } from '../../services/platform/process/logger.ts';
import { KEY_CHALLENGE } from '../clients/call-error.ts';
import { AppError } from '../errors/app-error.ts';
import { checkOrigin } from '../http/check-origin.ts';
import { addressOf, clientOf } from '../http/client-address.ts';
import { createFailureWindows } from '../http/failure-windows.ts';
import { readHeader } from '../http/read-header.ts';

/** Who sent a request, by its key. */
export interface Operator {
  readonly name: string;
  /** The header, for the service that checks the key too. */
  readonly authorization: string;
}

export interface OperatorAccess {
  /** @throws {AppError} OPERATOR_KEY_REQUIRED, RATE_LIMITED, ORIGIN_NOT_ALLOWED */
  authenticate(request: FastifyRequest): Operator;
}

export interface OperatorAccessOptions {
  readonly keys: OperatorKeys;
  /** Origins under which the page may be opened. */
  readonly origins: readonly URL[];
  /** Milliseconds, monotonic. */
  readonly monotonicMs: () => number;
  readonly logger: Logger;
}

/** Wrong keys of one client. Not even `RATE_LIMIT_PER_MINUTE=0` lifts this limit. */
const FAILURES = { max: 10, windowMs: 60_000, capacity: 10_000 };
/** A key of 32 random bytes has at least so many characters in any usual encoding. */
const MIN_KEY_CHARACTERS = 32;

export function createOperatorAccess({ keys, origins, monotonicMs, logger }: OperatorAccessOptions): OperatorAccess {
  const failures = createFailureWindows({ ...FAILURES, monotonicMs });

  function nameOf(authorization: string): string | undefined {
    if (authorization.length < 'Bearer '.length + MIN_KEY_CHARACTERS) return undefined;
    try {
      return requireOperator(keys, authorization);
    } catch (error) {
      if (error instanceof ServiceError) return undefined;
      throw error;
    }
  }

  return {
    authenticate(request) {
      checkOrigin(request, origins);
      const client = clientOf(addressOf(request));
      const authorization = readHeader(request, 'authorization');
      if (authorization === undefined) throw keyRequired();
      // A right key always passes: all clients of a tunnel or proxy may have one address.
      const name = nameOf(authorization);
      if (name !== undefined) return { name, authorization };
      const blockedMs = failures.blockedMs(client);
      if (blockedMs !== undefined) throw tooMany(blockedMs);
      failures.add(client);
      logger.warn({ client, requestId: request.id }, "a wrong operator's key was presented");
      throw keyRequired();
    },
  };
}

const keyRequired = (): AppError =>
  new AppError('OPERATOR_KEY_REQUIRED', 'send Authorization: Bearer with the key of an operator', {
    headers: KEY_CHALLENGE,
  });

const tooMany = (blockedMs: number): AppError =>
  new AppError('RATE_LIMITED', 'too many wrong keys from your address', {
    headers: { 'retry-after': String(Math.ceil(blockedMs / 1000)) },
  });
