import type { FastifyRequest } from 'fastify';

/** The weight that a header such as Accept gives to a name (RFC 9110, 12.4.2). 0 if it does not have the name. */
export function weightOf(header: string, name: string): number {
  const part = header.split(',').find((one) => one.split(';')[0]?.trim().toLowerCase() === name);
  if (part === undefined) return 0;
  return Number(/;\s*q=([01](?:\.\d{0,3})?)/i.exec(part)?.[1] ?? 1);
}

/** The weight of a media type that the Accept header names. */
export const acceptWeight = ({ headers: { accept = '' } }: Pick<FastifyRequest, 'headers'>, type: string): number =>
  weightOf(accept, type);
