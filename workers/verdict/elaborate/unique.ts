import type { Unique } from '../../plan/language/terms.ts';
import type { Value } from '../../plan/language/values.ts';
import { bindTo, type Elaborate, elementsOf } from './candidates.ts';
import { countsIn } from './counts-in.ts';
import { asTruth, conjunction, equality, knownOutcome, negation, type Outcome, type Truth } from './kleene.ts';
import type { Scope } from './scope.ts';

interface Keyed {
  readonly keys: readonly Outcome[];
  readonly counts: Truth;
  /** The keys, if all are known. */
  readonly known: readonly Value[] | undefined;
}

/**
 * Whether no two elements have all keys equal. Elements with different known keys differ, so only pairs that may be
 * equal are written out: elements with the same known keys, each with the next one that certainly counts, and open ones with
 * all others.
 */
export function elaborateUnique(node: Unique, scope: Scope, elaborate: Elaborate): Truth {
  const groups = new Map<string, Keyed[]>();
  const open: Keyed[] = [];
  for (const element of elementsOf(node, scope)) {
    const inside = bindTo(scope, node.binder, element);
    const counts = countsIn(node, element, inside, elaborate);
    if (knownOutcome(counts) === false) continue;
    const keys = node.keys.map((key) => elaborate(key, inside));
    const keyed = { keys, counts, known: knownKeys(keys) };
    if (keyed.known === undefined) open.push(keyed);
    else {
      const text = keyed.known.join('\0');
      const group = groups.get(text);
      if (group === undefined) groups.set(text, [keyed]);
      else group.push(keyed);
    }
  }
  const all = [...groups.values()];
  const pairs: (readonly [Keyed, Keyed])[] = all.flatMap((group) => neighbors(group));
  const closed = all.flatMap(representatives);
  for (const [index, one] of open.entries()) {
    for (const other of [...closed, ...open.slice(index + 1)]) pairs.push([one, other]);
  }
  const known = conjunction(pairs.map((pair) => differ(pair, scope)));
  return scope.summarized === undefined ? known : asTruth(scope.summarized.over(node, known, scope));
}

function knownKeys(keys: readonly Outcome[]): readonly Value[] | undefined {
  const values = keys.map(knownOutcome).filter((value) => value !== undefined);
  return values.length === keys.length ? values : undefined;
}

/** One element of a group that certainly counts is enough: the others have the same keys. */
function representatives(group: readonly Keyed[]): readonly Keyed[] {
  const certain = group.find(({ counts }) => knownOutcome(counts) === true);
  return certain === undefined ? group : [certain];
}

function neighbors(group: readonly Keyed[]): readonly (readonly [Keyed, Keyed])[] {
  return group.flatMap((first, index) => {
    const others = group.slice(index + 1);
    const next = others.findIndex(({ counts }) => knownOutcome(counts) === true);
    return (next === -1 ? others : others.slice(0, next + 1)).map((second) => [first, second] as const);
  });
}

function differ([one, other]: readonly [Keyed, Keyed], { session }: Scope): Truth {
  session.spend(6 * one.keys.length);
  const equalities = one.keys.flatMap((key, index) => {
    const second = other.keys[index];
    return second === undefined ? [] : [equality(key, second)];
  });
  return negation(conjunction([one.counts, other.counts, ...equalities]));
}
