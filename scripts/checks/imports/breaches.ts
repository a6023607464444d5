import { defined } from '../../../workers/exact/defined.ts';
import { findCircles } from './circles.ts';
import type { Import } from './graph.ts';
import type { Kind } from './resolver.ts';
import { createShortestWays } from './shortest-ways.ts';

/** Regular expressions for paths. Those of a target may contain `$1`, which is the first group of the importing file's. */
export interface Paths {
  readonly path?: string;
  readonly pathNot?: string;
}

/** An import that a rule forbids: all fields that are there apply. */
export interface ForbiddenImport extends Paths {
  readonly kind?: Kind;
  /** Permits imports of types only. */
  readonly typeOnly?: false;
}

/** Forbids to reach these modules through any number of imports. */
export interface Reachable extends Paths {
  readonly reachable: true;
}

export interface Rule {
  readonly name: string;
  /** The importing files. */
  readonly from: Paths;
  readonly to: ForbiddenImport | Reachable | { readonly circular: true };
}

/** Lists what breaks the rules: each time the name of the rule, and the chain of imports. */
export function findBreaches(rules: readonly Rule[], imports: readonly Import[]): readonly string[] {
  return rules.flatMap((rule) => findChains(rule, imports).map((chain) => `${rule.name}: ${chain.join(' -> ')}`));
}

type Chain = readonly string[];

function findChains({ name, from, to }: Rule, imports: readonly Import[]): readonly Chain[] {
  if ('circular' in to) return findModuleCircles(imports);
  if ('reachable' in to) return findReaching(from, to, imports);
  if (to.path === undefined && to.pathNot === undefined && to.kind === undefined)
    throw new Error(`the rule ${name} forbids every import`);
  const isForbidden = (one: Import): boolean => {
    const groups = match(from, one.from);
    if (groups === undefined || (to.kind !== undefined && to.kind !== one.kind)) return false;
    return !(to.typeOnly === false && one.typeOnly) && match(to, one.to, groups) !== undefined;
  };
  return imports.filter(isForbidden).map((one) => [one.from, one.to]);
}

/** Finds one chain for each circle, through its first file. */
function findModuleCircles(imports: readonly Import[]): readonly Chain[] {
  return findCircles(imports).map((circle) => {
    const first = defined(circle[0]);
    return defined(createShortestWays(imports, new Set([first]))(first));
  });
}

/** Finds the shortest chain for each file that reaches a target, unless it passes through another such file. */
function findReaching(from: Paths, to: Reachable, imports: readonly Import[]): readonly Chain[] {
  const targets = new Set(imports.map((one) => one.to).filter((path) => match(to, path) !== undefined));
  const shortestWay = createShortestWays(imports, targets);
  const isFrom = (path: string) => match(from, path) !== undefined;
  return [...new Set(imports.map((one) => one.from))].filter(isFrom).flatMap((path) => {
    const chain = shortestWay(path);
    return chain === undefined || chain.slice(1, -1).some(isFrom) ? [] : [chain];
  });
}

/** Matches a path. @returns the match and its groups, or `undefined` */
function match(
  { path = '', pathNot }: Paths,
  text: string,
  groups: readonly string[] = [],
): readonly string[] | undefined {
  if (pathNot !== undefined && pattern(pathNot, groups).test(text)) return undefined;
  return pattern(path, groups).exec(text) ?? undefined;
}

const patterns = new Map<string, RegExp>();

function pattern(source: string, groups: readonly string[]): RegExp {
  const filled = source.replaceAll(/\$(\d)/g, (_, index: string) => defined(groups[Number(index)]));
  const known = patterns.get(filled) ?? new RegExp(filled);
  patterns.set(filled, known);
  return known;
}
