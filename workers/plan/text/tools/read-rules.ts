import { type CompiledRule, compileCondition, compileRules } from '../cel/compile-expression.ts';
import type { TextScope } from '../cel/scope.ts';
import type { FaultLog } from '../faults/text-fault.ts';
import { readNamed } from '../yaml/fields.ts';
import type { TextNode } from '../yaml/text-node.ts';

/** One condition, which gets the id `id`, or a map of conditions by their ids. Faults are logged. */
export function readRules(node: TextNode | undefined, id: string, scope: TextScope, log: FaultLog): CompiledRule[] {
  if (node === undefined) return [];
  if (node.kind !== 'map') return [...compileRules(id, node, scope, log)];
  const entries = readNamed(node, 'conditions by name', log);
  return log.each(entries, ({ key, value }) => ({ id: key.text, expr: compileCondition(value, scope) }));
}
