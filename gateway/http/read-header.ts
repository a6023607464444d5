import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.ts';

/** Node joins what is sent twice; which one is meant nobody can tell. @throws {AppError} INVALID_REQUEST */
export function readHeader({ raw }: FastifyRequest, name: string): string | undefined {
  const values = raw.headersDistinct[name] ?? [];
  if (values.length > 1) throw new AppError('INVALID_REQUEST', `${name} was sent more than once`);
  return values[0];
}
