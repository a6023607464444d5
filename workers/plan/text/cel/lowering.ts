import type { Operand } from '../../language/operands.ts';
import { readForm } from '../../language/parse-expression.ts';
import type { BoundTypes, Site } from '../../language/site.ts';
import type { Expression } from '../../language/terms.ts';
import type { Sort } from '../../language/types.ts';
import type { TextScope } from './scope.ts';
import type { Syntax } from './syntax.ts';

/** An expression of the canonical form: a list that begins with an operator, or a safe integer. */
export type Json = number | string | boolean | readonly Json[];

/** An expression in canonical form, as the language types it. Its `path` is its offset in the text. */
export interface Lowered extends Operand {
  readonly json: Json;
  /** Whether the value is at least 0 in every run. Unknown counts as no. */
  readonly isNonNegative: boolean;
}

/** The state of turning syntax into canonical form. */
export interface Lowering {
  readonly scope: TextScope;
  /** What forms are typed by. Their operands are lowered before. */
  readonly site: Site;
  /** @param expected a sort that the place wants: a text is then one of an enum's values */
  readonly lower: (syntax: Syntax, expected?: Sort) => Lowered;
  /** The same with one more name. */
  readonly bind: (name: string, types: BoundTypes) => Lowering;
}

/** A form of the canonical form, with operands that are lowered. */
type Form = number | string | boolean | Lowered | readonly Form[];

/**
 * Types a form.
 * @param isNonNegative of an operation. A leaf says it itself
 * @throws {DocumentError} if its operands do not fit: the path is the offset of the one that does not
 */
export function lowered(form: Form, at: number, { site }: Lowering, isNonNegative?: boolean): Lowered {
  const operand = readForm(form, String(at), site);
  return { ...operand, json: jsonOf(form), isNonNegative: isNonNegative ?? isAtLeastZero(operand.expression, site) };
}

/** Of numbers. A time is never asked for. */
function isAtLeastZero(leaf: Expression, { names }: Site): boolean {
  if (leaf.op === 'literal') return typeof leaf.value === 'bigint' && leaf.value >= 0n;
  if (leaf.op === 'number' || leaf.op === 'run') return true;
  const type = leaf.op === 'reference' ? names[leaf.scope]?.get(leaf.name) : 'type' in leaf ? leaf.type : undefined;
  return type !== undefined && 'min' in type && type.min >= 0n;
}

function jsonOf(form: Form): Json {
  if (isLowered(form)) return form.json;
  return typeof form === 'object' ? form.map(jsonOf) : form;
}

const isLowered = (part: unknown): part is Lowered => typeof part === 'object' && part !== null && 'json' in part;

/** The operand of a form: it was typed before. */
export function typedBefore(part: unknown): Operand {
  if (isLowered(part)) return part;
  throw new TypeError('an operand is not lowered');
}

export const offsetOf = ({ path }: Pick<Operand, 'path'>): number => Number(path);
