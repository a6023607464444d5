import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.ts';

/** Every value of a header; empty if it was not sent. Node joins the values of a repeated header elsewhere. */
export function valuesOf({ headers, headersDistinct }: IncomingMessage, name: string): readonly string[] {
  // Building the distinct headers costs time, and most headers that are asked for are absent.
  if (headers[name] === undefined) return [];
  return headersDistinct[name] ?? [];
}

/** The value of a header. A repeated header is refused as ambiguous. @throws {AppError} INVALID_REQUEST */
export function readHeader({ raw }: FastifyRequest, name: string): string | undefined {
  const [value, ...others] = valuesOf(raw, name);
  if (others.length > 0) throw new AppError('INVALID_REQUEST', `${name} was sent more than once`);
  return value;
}
