import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { createRepeatedErrorLog, kindOf } from '../../services/platform/process/repeated-errors.ts';
import type { AppError } from '../errors/app-error.ts';

/** Logs an answer of 5xx. */
export type FailureLog = (error: AppError, request: FastifyRequest) => void;

/** Clients can provoke such answers in any number: the first of a kind is logged, and the next ones are counted. */
export function createFailureLog(logger: FastifyBaseLogger, message: string): FailureLog {
  const log = createRepeatedErrorLog({ logger, message, level: 'error' });
  return (error, request) => {
    const { code } = error;
    const route = request.routeOptions.url ?? 'none';
    const cause = error.cause ?? error;
    log(cause, {
      kind: `${code} ${route} ${kindOf(cause)} ${code === 'INTERNAL' ? placeOf(cause) : ''}`,
      fields: { requestId: request.id, route, code },
    });
  };
}

/** Two faults of our own are two kinds, even if they are of one class. */
function placeOf(error: unknown): string {
  return (error instanceof Error && /^ +at .*$/m.exec(error.stack ?? '')?.[0].trim()) || 'unknown place';
}
