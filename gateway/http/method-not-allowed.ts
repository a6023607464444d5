import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors/app-error.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** An endpoint's path as the router has it. */
export const toUrl = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

interface Route {
  readonly method: string;
  readonly path: string;
}

/**
 * Answers 405 to the methods that a path does not have, by routes of their own: once a request with ids in its path was
 * not found, the router cannot say by which methods it would be.
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
      // Before any body is read.
      onRequest: refuse,
      handler: refuse,
    });
  }
}
