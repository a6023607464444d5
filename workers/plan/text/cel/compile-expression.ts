import type { ValueType } from '../../language/types.ts';
import { type FaultLog, TextError } from '../faults/text-fault.ts';
import { asScalar, type ScalarNode, type TextNode } from '../yaml/text-node.ts';
import { CelError } from './cel-error.ts';
import { lowerCondition, lowerValue } from './lower.ts';
import type { Json } from './lowering.ts';
import { parseCel } from './parse-cel.ts';
import type { TextScope } from './scope.ts';
import type { Syntax } from './syntax.ts';

/** A condition with an id. */
export interface CompiledRule {
  readonly id: string;
  readonly expr: Json;
}

/**
 * Compiles a condition. Each operand of a `&&` at its top is a rule of its own, so that a verdict names the one that is
 * broken: `id`, or `id.1`, `id.2` and so on. Faults are logged, those of all operands.
 */
export function compileRules(id: string, node: TextNode, scope: TextScope, log: FaultLog): readonly CompiledRule[] {
  const conjuncts = log.attempt(() => conjunctsOf(node)) ?? [];
  return conjuncts.flatMap(({ scalar, syntax }, index) => {
    const expr = log.attempt(() => placed(scalar, () => lowerCondition(syntax, scope)));
    return expr === undefined ? [] : [{ id: conjuncts.length === 1 ? id : `${id}.${index + 1}`, expr }];
  });
}

/** Compiles a condition as one rule. @throws {TextError} */
export function compileCondition(node: TextNode, scope: TextScope): Json {
  const scalar = asScalar(node, 'a condition, such as args.amount > 0.00');
  return placed(scalar, () => lowerCondition(parseCel(scalar.text), scope));
}

/** Compiles an expression that must have a type. `what` names the place. @throws {TextError} */
export function compileValue(
  node: TextNode,
  wanted: { readonly type: ValueType; readonly what: string },
  scope: TextScope,
): Json {
  const scalar = asScalar(node, 'an expression');
  return placed(scalar, () => lowerValue(parseCel(scalar.text), wanted, scope));
}

function conjunctsOf(node: TextNode): readonly { readonly scalar: ScalarNode; readonly syntax: Syntax }[] {
  const scalar = asScalar(node, 'a condition, such as args.amount > 0.00');
  const syntax = placed(scalar, () => parseCel(scalar.text));
  const parts = syntax.kind === 'operator' && syntax.operator === '&&' ? syntax.operands : [syntax];
  return parts.map((part) => ({ scalar, syntax: part }));
}

/** Runs what reads a scalar's expression. Faults get their place in the file. @throws {TextError} */
export function placed<T>(scalar: ScalarNode, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    throw new TextError(error.code, scalar.sourceOf(error.at), error.message);
  }
}
