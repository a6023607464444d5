import type { Constant, MapState } from '../../plan.ts';
import { isMap, isSameType, type StateType } from '../../read/read-state.ts';
import { type FaultLog, TextError } from '../faults/text-fault.ts';
import type { KnownTool } from '../tools/known-tool.ts';
import { describeType } from '../types/describe-type.ts';
import { inferType } from '../types/infer-type.ts';
import { readStateType, readType } from '../types/read-type.ts';
import { readValue } from '../types/read-value.ts';
import { readEntries, readFields, readIdentifiers } from '../yaml/fields.ts';
import { asScalar, type MapEntry, type TextNode } from '../yaml/text-node.ts';

/** Constants of a plan: `cap: 25000.00`, or `cap: { type: decimal(2), value: 25000 }`. */
export function readGiven(node: TextNode | undefined, log: FaultLog): ReadonlyMap<string, Constant> {
  const read = ({ key, value }: MapEntry): Constant => {
    if (value.kind !== 'map') return inferType(asScalar(value, 'a value, such as 25000.00'));
    const parts = readFields(value, ['type', 'value'], `the value ${key.text}`, log);
    const type = readType(parts.require('type', 'type: decimal(2)'));
    return { type, value: readValue(asScalar(parts.require('value', 'value: 0'), 'a value'), type) };
  };
  return readEntries(readIdentifiers(node, 'values by name', log), read, log);
}

/** A state with its initial value, or a map with its default. */
export type StateValue = Constant | MapState;

export const typeOfState = (state: StateValue): StateType => ('key' in state ? state : state.type);

/**
 * States of a plan: `left: 80.00`, `left: { type: decimal(2, 0..), initial: 80.00 }`, or `sent: map(string, int, default 0)`.
 * A value alone has the type that a tool gives this state, or else the type by which it is written.
 */
export function readState(
  node: TextNode | undefined,
  tools: readonly KnownTool[],
  log: FaultLog,
): ReadonlyMap<string, StateValue> {
  const read = ({ key, value }: MapEntry): StateValue => {
    const needed = tools.flatMap(({ name, state }) => {
      const type = state.get(key.text);
      return type === undefined ? [] : [{ name, type }];
    });
    const state = readOne(key.text, value, needed[0]?.type, log);
    const differs = needed.find(({ type }) => !isSameType(type, typeOfState(state)));
    if (differs !== undefined) {
      const message = `${differs.name} needs ${key.text} as ${describeType(differs.type)}, and it is ${describeType(typeOfState(state))} here`;
      log.add('WRONG_STATE', value.at, message);
    }
    return state;
  };
  return readEntries(readIdentifiers(node, 'states by name', log), read, log);
}

function readOne(name: string, node: TextNode, needed: StateType | undefined, log: FaultLog): StateValue {
  if (node.kind === 'map') {
    const parts = readFields(node, ['type', 'initial'], `the state ${name}`, log);
    const type = readType(parts.require('type', 'type: int'));
    return { type, value: readValue(asScalar(parts.require('initial', 'initial: 0'), 'a value'), type) };
  }
  const scalar = asScalar(node, 'an initial value, { type, initial }, or map(string, int, default 0)');
  if (/^map\(.*\)$/s.test(scalar.text)) {
    const type = readStateType(scalar);
    if ('byDefault' in type) return type;
    throw new TextError('MALFORMED_TYPE', scalar.at, 'a map in a plan has a default: map(string, int, default 0)');
  }
  if (needed !== undefined && isMap(needed)) {
    throw new TextError(
      'WRONG_STATE',
      scalar.at,
      `${name} is a map of a tool: write map(…, …, default …) as in ${describeType(needed)}`,
    );
  }
  return needed === undefined ? inferType(scalar) : { type: needed, value: readValue(scalar, needed) };
}
