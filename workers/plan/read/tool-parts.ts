import { defined } from '../../exact/defined.ts';
import type { InlineTool, RuleDocument } from '../../exact/plan-schema.ts';
import { parseExpression } from '../language/parse-expression.ts';
import { presenceOf, rootOf, spokenPart } from '../language/parts.ts';
import { flatten, parseShapes } from '../language/shapes.ts';
import type { Scope } from '../language/site.ts';
import { fieldsOf, parseType, TIMED_TYPES, type ValueType } from '../language/types.ts';
import type { Answer, Field, Rule, Tool } from '../plan.ts';
import { PlanError } from '../plan-error.ts';
import { findPureTool } from '../pure-tools.ts';

const BOOL: ValueType = { type: 'bool' };
const POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/;

/** Reads the fields of a JSON document: a type and a JSON pointer each. */
export function readFields(fields: Readonly<Record<string, unknown>>, path: string): ReadonlyMap<string, Field> {
  return new Map(
    Object.entries(fields).map(([name, json]) => {
      const type = parseType(json, `${path}/${name}`, ['at'], TIMED_TYPES);
      return [name, { type, at: pointerAt(json, `${path}/${name}`) }];
    }),
  );
}

function pointerAt(json: unknown, path: string): string {
  const at = fieldsOf(json, path).get('at');
  if (typeof at === 'string' && at.length <= 256 && POINTER.test(at)) return at;
  throw new PlanError('MALFORMED_PLAN', `${path}/at`, 'is not a JSON pointer');
}

/** Reads the fields of a response, which may have parts. */
export function readAnswers(fields: Readonly<Record<string, unknown>>, path: string): ReadonlyMap<string, Answer> {
  const shapes = parseShapes(fields, path, TIMED_TYPES, ['at']);
  return new Map(
    Array.from(shapes, ([name, shape]) => [name, { shape, at: pointerAt(fields[name], `${path}/${name}`) }]),
  );
}

/** The values of a response, by their names. */
export function valuesOf(answers: ReadonlyMap<string, Answer>): ReadonlyMap<string, Field> {
  const types = flatten(new Map(Array.from(answers, ([name, { shape }]) => [name, shape])));
  return new Map(
    Array.from(types, ([name, type]) => {
      const root = rootOf(name);
      const inside = name.slice(root.length).replaceAll('#', '/').replace('?', '');
      return [name, { type, at: defined(answers.get(root)).at + inside }];
    }),
  );
}

/** Reads conditions, which must have different ids. */
export function readRules(rules: readonly RuleDocument[], scope: Scope, path: string): readonly Rule[] {
  assertDistinct(rules, ({ id }) => id, path);
  return rules.map(({ id, expr }, index) => {
    return { id, expression: parseExpression(expr, { type: BOOL, scope, path: `${path}/${index}/expr` }) };
  });
}

export function typesOf(fields: ReadonlyMap<string, { readonly type: ValueType }>): ReadonlyMap<string, ValueType> {
  return new Map([...fields].map(([name, { type }]) => [name, type]));
}

export function assertDistinct<T>(items: readonly T[], idOf: (item: T) => string, path: string): void {
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    if (seen.has(idOf(item))) throw new PlanError('DUPLICATE_ID', `${path}/${index}`, `${idOf(item)} occurs twice`);
    seen.add(idOf(item));
  }
}

/** Reads which field of the response must equal a state. */
export function readObserved(
  { observe }: Pick<InlineTool, 'observe'>,
  states: ReadonlyMap<string, ValueType>,
  responds: ReadonlyMap<string, Field>,
  path: string,
): ReadonlyMap<string, string> {
  for (const [name, field] of Object.entries(observe)) {
    const at = `${path}/observe/${name}`;
    const seen = responds.get(field)?.type;
    if (responds.has(presenceOf(field))) throw mayBeMissing(at, field);
    if (seen === undefined) throw new PlanError('UNKNOWN_FIELD', at, `${field} is not a field of the response`);
    if (!isComparable(stateType(states, name, at), seen)) {
      throw new PlanError('UNKNOWN_FIELD', at, `${field} has another type than ${name}`);
    }
  }
  return new Map(Object.entries(observe));
}

/** Whether values of two types can be compared. Decimals are compared by numerators, so they must have one scale. */
function isComparable(one: ValueType, other: ValueType): boolean {
  return one.type === other.type && (one.type !== 'decimal' || other.type !== 'decimal' || one.scale === other.scale);
}

export function stateType(states: ReadonlyMap<string, ValueType>, name: string, path: string): ValueType {
  const type = states.get(name);
  if (type === undefined) throw new PlanError('UNKNOWN_FIELD', path, `${name} is not a state variable of the plan`);
  return type;
}

/** Reads which field of the response identifies an act. */
export function readIdentity(
  { identity }: Pick<InlineTool, 'identity'>,
  responds: ReadonlyMap<string, Field>,
  path: string,
): string | undefined {
  if (identity === null) return undefined;
  const type = responds.get(identity)?.type.type;
  if (responds.has(presenceOf(identity))) throw mayBeMissing(`${path}/identity`, identity);
  if (type === 'string' || type === 'int') return identity;
  throw new PlanError('UNKNOWN_FIELD', `${path}/identity`, `${identity} is not a string or int of the response`);
}

/** What must have a value in every act names something that may be missing. */
export const mayBeMissing = (path: string, name: string): PlanError =>
  new PlanError('UNKNOWN_FIELD', path, `${spokenPart(name)} may be missing, and is needed of every act`);

/** A tool whose effects are replayed must observe them. A tool that moves money must identify its acts. */
export function assertObservedAndIdentified({ replay, effect, observe, identity }: Tool, path: string): void {
  if (replay === 'effects' && observe.size === 0) {
    const message = 'is "effects", which compares states with the response: add observe, or write "recorded"';
    throw new PlanError('WRONG_REPLAY', `${path}/replay`, message);
  }
  if (effect === 'revenue_write' && identity === undefined) {
    const message = 'is "revenue_write", and a tool that moves money needs identity: the field that identifies one act';
    throw new PlanError('WRONG_REPLAY', `${path}/effect`, message);
  }
}

/** Checks that the service can run the tool again, with exactly the arguments that the plan declares. */
export function assertPure({ ref, args }: Tool, path: string): void {
  const known = findPureTool(ref);
  if (known === undefined) {
    throw new PlanError('UNKNOWN_PURE_TOOL', `${path}/replay`, `${ref} is not a tool that this service can run again`);
  }
  for (const [name, { type }] of args) {
    if (Object.hasOwn(known.args, name) && type === 'string') continue;
    throw new PlanError(
      'WRONG_REPLAY',
      `${path}/args/${name}`,
      `${ref} has no argument of this name and type (${type})`,
    );
  }
  const missing = Object.entries(known.args).find(([name, need]) => need === 'required' && !args.has(name));
  if (missing !== undefined) throw new PlanError('WRONG_REPLAY', `${path}/args`, `${ref} also requires ${missing[0]}`);
}
