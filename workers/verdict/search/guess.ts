import type { Term } from '../../plan/language/terms.ts';
import type { ValueType } from '../../plan/language/types.ts';
import { isOfType, type Value } from '../../plan/language/values.ts';
import { evaluate } from '../decide/evaluate.ts';
import type { Problem } from '../decide/problem.ts';

const MAX_GUESSES = 24;

/**
 * Whether some guess of the open values solves a problem, so that no solver needs to be asked. A guess takes the ends of types,
 * and follows facts that say what a value equals or lies between.
 */
export function isGuessed({ variables, values, facts, rules }: Problem): boolean {
  for (let guess = 0; guess < MAX_GUESSES; guess += 1) {
    const found = new Map<string, Value>(values);
    let turn = guess;
    const pick = <T>(choices: readonly [T, ...T[]]): T => {
      turn = (turn * 7 + guess + 3) % 97;
      return choices[turn % choices.length] ?? choices[0];
    };
    for (const [key, type] of variables) if (!found.has(key)) found.set(key, pick(endsOf(type)));
    const take = (key: string, value: Value) => values.has(key) || found.set(key, value);
    for (const { term } of facts) follow(term, { found, take, pick });
    const isTyped = [...variables].every(([key, type]) => isOfType(found.get(key) ?? '', type));
    if (isTyped && [...facts, ...rules].every(({ term }) => evaluate(term, found) === true)) return true;
  }
  return false;
}

function endsOf(type: ValueType): readonly [Value, ...Value[]] {
  switch (type.type) {
    case 'bool':
      return [true, false];
    case 'enum':
      return [type.values[0] ?? '', ...type.values.slice(1)];
    case 'string':
      return ['', 'a', 'b'];
    default: {
      const zero = type.min > 0n ? type.min : type.max < 0n ? type.max : 0n;
      return [zero, type.min, type.max, type.min > 1n || type.max < 1n ? zero : 1n];
    }
  }
}

interface Guess {
  readonly found: ReadonlyMap<string, Value>;
  /** Guesses a value that is not known. */
  readonly take: (key: string, value: Value) => unknown;
  readonly pick: <T>(choices: readonly [T, ...T[]]) => T;
}

function follow(term: Term, { found, take, pick }: Guess): void {
  const [low, high] = term.op === 'and' ? term.args : [];
  if (term.op === '=' && term.left.op === 'variable') {
    const value = evaluate(term.right, found);
    if (value !== undefined) take(term.left.key, value);
  } else if (low?.op === '<=' && high?.op === '<=' && low.right.op === 'variable') {
    const [min, max] = [evaluate(low.left, found), evaluate(high.right, found)];
    if (min !== undefined && max !== undefined) take(low.right.key, pick([min, max]));
  }
}
