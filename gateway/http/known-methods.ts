import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route only refuses methods that its path does not have. */
    readonly isRefusal?: boolean;
  }
}

const ORDER = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'QUERY'];

interface KnownPath {
  readonly segments: readonly string[];
  readonly methods: Set<string>;
}

/** Finds the methods of the path of a URL, among the routes that are registered later. The router itself cannot tell. */
export function collectMethods(app: FastifyInstance): (url: string) => readonly string[] {
  const paths = new Map<string, KnownPath>();
  app.addHook('onRoute', ({ url, method, config }) => {
    if (config?.isRefusal === true) return;
    const path = paths.get(url) ?? { segments: url.split('/'), methods: new Set<string>() };
    paths.set(url, path);
    for (const name of [method].flat()) path.methods.add(name);
  });
  return (url) => {
    const segments = url.replace(/\?.*$/s, '').split('/');
    const found = [...paths.values()].filter((path) => matches(path.segments, segments));
    return ORDER.filter((name) => found.some(({ methods }) => methods.has(name)));
  };
}

/** A parameter of a route stands for any one segment. */
function matches(route: readonly string[], path: readonly string[]): boolean {
  const isAlike = (part: string, index: number) => (part.startsWith(':') ? path[index] !== '' : part === path[index]);
  return route.length === path.length && route.every(isAlike);
}
