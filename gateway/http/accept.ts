import type { FastifyRequest } from 'fastify';

/** The weight of a media type that the Accept header names (RFC 9110, 12.5.1). 0 if it is not named. */
export function acceptWeight({ headers: { accept = '' } }: Pick<FastifyRequest, 'headers'>, type: string): number {
  const part = accept.split(',').find((one) => one.split(';')[0]?.trim().toLowerCase() === type);
  if (part === undefined) return 0;
  return Number(/;\s*q=([01](?:\.\d{0,3})?)/i.exec(part)?.[1] ?? 1);
}
