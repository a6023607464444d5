import { isMap } from '../../read/read-state.ts';
import { compileValue, placed } from '../cel/compile-expression.ts';
import { lowerValue } from '../cel/lower.ts';
import type { Json } from '../cel/lowering.ts';
import { parseCel } from '../cel/parse-cel.ts';
import type { TextScope } from '../cel/scope.ts';
import { type FaultLog, TextError } from '../faults/text-fault.ts';
import { unknownName } from '../yaml/fields.ts';
import { asMap, type MapEntry, type ScalarNode, type TextNode } from '../yaml/text-node.ts';

const MAX_ENTRIES = 4;

type EntryEffect = { key: Json; value: Json };
export type Effects = Record<string, Json | EntryEffect[]>;

/** Reads effects: `stock: state.stock - args.count`, and for a map `sent[args.to]: state.sent[args.to] + 1`. */
export function readEffects(node: TextNode | undefined, scope: TextScope, log: FaultLog): Effects {
  const values = new Map<string, Json>();
  const entries = new Map<string, EntryEffect[]>();
  if (node === undefined) return {};
  const map = log.attempt(() => asMap(node, 'effects by state, such as stock: state.stock - args.count'));
  for (const effect of map?.entries ?? []) {
    log.attempt(() => {
      const { name, key } = parseTarget(effect.key);
      if (key === undefined) values.set(name, readScalarEffect(name, effect, scope));
      else {
        const sofar = entries.get(name) ?? [];
        if (sofar.length === MAX_ENTRIES) {
          throw new TextError('TOO_MANY', effect.key.at, `an action changes at most ${MAX_ENTRIES} entries of a map`);
        }
        entries.set(name, [...sofar, readEntry(name, key, effect, scope)]);
      }
    });
  }
  return Object.fromEntries([...values, ...entries]);
}

interface Target {
  readonly name: string;
  /** The text of the key, and its offset in the scalar. */
  readonly key?: { readonly text: string; readonly from: number };
}

function parseTarget({ text, at }: ScalarNode): Target {
  const match = /^\s*([A-Za-z0-9_.:-]{1,64})\s*(?:\[(.*)\])?\s*$/s.exec(text);
  const name = match?.[1];
  if (match === null || name === undefined) {
    throw new TextError(
      'MALFORMED_NAME',
      at,
      'an effect begins with the name of a state, or of a map and a key: sent[args.to]',
    );
  }
  const inside = match[2];
  return inside === undefined ? { name } : { name, key: { text: inside, from: text.indexOf('[') + 1 } };
}

function stateType(name: string, { key }: MapEntry, { states }: TextScope) {
  const type = states.get(name);
  if (type !== undefined) return type;
  throw unknownName({ text: name, at: key.at }, states.keys(), `there is no state ${name}`);
}

function readScalarEffect(name: string, effect: MapEntry, scope: TextScope): Json {
  const type = stateType(name, effect, scope);
  if (!isMap(type)) return compileValue(effect.value, { type, what: `the state ${name}` }, scope);
  throw new TextError('TYPE_MISMATCH', effect.key.at, `${name} is a map: say which key, as in ${name}[args.to]`);
}

function readEntry(
  name: string,
  key: { readonly text: string; readonly from: number },
  effect: MapEntry,
  scope: TextScope,
): EntryEffect {
  const type = stateType(name, effect, scope);
  if (!isMap(type))
    throw new TextError('TYPE_MISMATCH', effect.key.at, `${name} is one value, not a map: write ${name} alone`);
  const scalar: ScalarNode = { ...effect.key, sourceOf: (index) => effect.key.sourceOf(key.from + index) };
  const wanted = { type: type.key, what: `the key of ${name}` };
  return {
    key: placed(scalar, () => lowerValue(parseCel(key.text), wanted, scope)),
    value: compileValue(effect.value, { type: type.value, what: `the values of ${name}` }, scope),
  };
}
