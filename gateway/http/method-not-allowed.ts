import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors/app-error.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** A path with parameters in braces as the router writes it. */
export const toUrl = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

interface Route {
  readonly method: string;
  readonly path: string;
}

/**
 * Answers 405 to the methods that a path does not have, with routes of their own: after a request with ids in its path
 * is not found, the router cannot say which methods would match.
 */
export function refuseOtherMethods(app: FastifyInstance, endpoints: readonly Route[]): void {
  for (const [path, each] of Map.groupBy(endpoints, (endpoint) => endpoint.path)) {
    const own = new Set<string>(each.map(({ method }) => method));
    const allow = [...own, ...(own.has('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
    const refuse = () =>
      Promise.reject(new AppError('METHOD_NOT_ALLOWED', `use ${[...own].join(' or ')}`, { headers: { allow } }));
    app.route({
      method: METHODS.filter((method) => !own.has(method)),
      url: toUrl(path),
      exposeHeadRoute: !own.has('GET'),
      schema: { hide: true },
      config: { isRefusal: true },
      // Refuses before any body is read.
      onRequest: refuse,
      handler: refuse,
    });
  }
}
