import type { ToolDocument } from '../../../exact/tool-schema.ts';
import { presenceOf } from '../../language/parts.ts';
import { flatten, formatShape, formatShapes, type Shapes } from '../../language/shapes.ts';
import type { Answer, Field } from '../../plan.ts';
import { isMap } from '../../read/read-state.ts';
import { typesOf, valuesOf } from '../../read/tool-parts.ts';
import { type TextScope, type TypesByName, withNames } from '../cel/scope.ts';
import { type FaultLog, TextError } from '../faults/text-fault.ts';
import { type Fields, faultyNames, quote, readEntries, readFields, readNamed, unknownName } from '../yaml/fields.ts';
import { asScalar, type MapEntry, type ScalarNode, type TextNode } from '../yaml/text-node.ts';
import { readEffects } from './read-effects.ts';
import { readRules } from './read-rules.ts';
import { readAnswerShapes, readArgumentShapes } from './read-shapes.ts';

const PARTS = [
  'effect',
  'replay',
  'args',
  'responds',
  'state',
  'effects',
  'observe',
  'identity',
  'post',
  'limits',
  'amounts',
  'once',
];
const REF = /^([A-Za-z0-9_.:-]{1,64})@((?:0|[1-9][0-9]{0,8})(?:\.(?:0|[1-9][0-9]{0,8})){2})$/;

type ToolParts = Pick<
  ToolDocument,
  'name' | 'version' | 'effect' | 'replay' | 'args' | 'responds' | 'observe' | 'identity' | 'effects' | 'post'
>;

/** A description whose arguments and response are read. Its expressions are read later, in their scope. */
export interface ToolText {
  readonly name: string;
  readonly version: string;
  readonly key: ScalarNode;
  readonly fields: Fields;
  readonly takes: Shapes;
  readonly answers: ReadonlyMap<string, Answer>;
  /** All values among them, by name. */
  readonly args: TypesByName;
  readonly responds: ReadonlyMap<string, Field>;
}

/** Reads the head of a description: `bank.transfer@2.1.0: { effect, args, responds … }`. @throws {TextError} */
export function readToolText(key: ScalarNode, node: TextNode, log: FaultLog): ToolText {
  const [, name, version] = REF.exec(key.text) ?? [];
  if (name === undefined || version === undefined) {
    throw new TextError(
      'MALFORMED_NAME',
      key.at,
      `${quote(key.text)} is not a name with a version: write, for example, order.get@1.0.0`,
    );
  }
  const fields = readFields(node, PARTS, `the tool ${name}`, log);
  const takes = readArgumentShapes(fields.get('args'), log);
  const answers = readAnswerShapes(fields.get('responds'), log);
  return { name, version, key, fields, takes, answers, args: flatten(takes), responds: valuesOf(answers) };
}

/** Reads the rest of a description. Faults are logged. */
export function readToolParts(tool: ToolText, scope: TextScope, log: FaultLog): ToolParts {
  const { fields, takes, answers, args, responds } = tool;
  const faulty = new Set([
    ...scope.faulty,
    ...faultyNames(fields.get('args'), takes, 'args.'),
    ...faultyNames(fields.get('responds'), answers, 'response.'),
  ]);
  const inside = withNames({ ...scope, faulty }, { arg: args, resp: typesOf(responds) });
  return {
    name: tool.name,
    version: tool.version,
    effect: oneOf(fields, 'effect', ['none', 'write', 'revenue_write'], log) ?? 'none',
    replay: oneOf(fields, 'replay', ['recorded', 'effects', 'pure'], log) ?? 'recorded',
    args: formatShapes(takes),
    responds: Object.fromEntries(
      Array.from(answers, ([field, { shape, at }]) => [field, { ...formatShape(shape), at }]),
    ),
    effects: readEffects(fields.get('effects'), inside, log),
    observe: readObserve(fields.get('observe'), tool, scope, log),
    identity: readIdentity(tool, log),
    post: readRules(fields.get('post'), 'post', inside, log),
  };
}

/** A word of a list. The first one is the default. */
function oneOf<Word extends string>(
  fields: Fields,
  name: string,
  words: readonly Word[],
  log: FaultLog,
): Word | undefined {
  const node = fields.get(name);
  if (node === undefined) return words[0];
  return log.attempt(() => {
    const written = asScalar(node, words.join(', '));
    const word = words.find((each) => each === written.text);
    if (word !== undefined) return word;
    const message = `${name} is ${words.join(', ')}, not ${quote(written.text)}`;
    throw unknownName(written, words, message, 'UNKNOWN_VALUE');
  });
}

function readObserve(
  node: TextNode | undefined,
  { responds }: ToolText,
  { states }: TextScope,
  log: FaultLog,
): Record<string, string> {
  const read = ({ key, value }: MapEntry) => {
    const type = states.get(key.text);
    if (type === undefined || isMap(type)) {
      throw unknownName(key, states.keys(), `there is no state ${quote(key.text)} with one value`);
    }
    const field = asScalar(value, 'the name of a response field');
    if (responds.has(field.text)) return field.text;
    throw unknownName(field, responds.keys(), `the response has no field ${quote(field.text)}`);
  };
  return Object.fromEntries(readEntries(readNamed(node, 'response fields by state', log), read, log));
}

/** The argument that is the tool's idempotency key, as operators write it: `once: args.key`. A fault is logged. */
export function readOnce({ fields, args }: ToolText, log: FaultLog): string | undefined {
  const node = fields.get('once');
  if (node === undefined) return undefined;
  return log.attempt(() => {
    const { text, at } = asScalar(node, 'args. and the name of a text');
    const name = text.replace(/^args\./, '');
    if (text !== name && args.get(name)?.type === 'string') return name;
    const texts = [...args].flatMap(([key, { type }]) => (type === 'string' ? [`args.${key}`] : []));
    throw unknownName({ text, at }, texts, `once names a text among the arguments, and ${quote(text)} is none`);
  });
}

function readIdentity({ fields, responds }: ToolText, log: FaultLog): string | null {
  const node = fields.get('identity');
  if (node === undefined) return null;
  const identity = log.attempt(() => {
    const name = asScalar(node, 'the name of a response field');
    const type = responds.get(name.text)?.type.type;
    const isAlwaysThere = !responds.has(presenceOf(name.text));
    if (isAlwaysThere && (type === 'string' || type === 'int')) return name.text;
    const message = `identity names a string or int of the response${isAlwaysThere ? '' : ' that is always there'}, and ${quote(name.text)} is none`;
    throw unknownName(name, responds.keys(), message);
  });
  return identity ?? null;
}
