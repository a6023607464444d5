import { MAX_TOOLS } from '../../../../../services/verification/catalogue/keep-tool.ts';
import { foldToolName } from '../../../../../services/verification/tools/fold-tool-name.ts';
import { MAX_ENUM_CODE_POINTS, MAX_ENUM_VALUES, MAX_STRING_CODE_POINTS } from '../../../../../workers/exact/bounds.ts';
import { ID_PATTERN } from '../../../../../workers/exact/document-parts.ts';
import { IDENTIFIER } from '../../../../../workers/plan/text/yaml/fields.ts';
import { visibly } from '../../../../../workers/plan/view/words/escape.ts';
import { CommandError } from '../../../terminal/command.ts';
import type { Loose, Members, Source, SourceTool } from './source-tool.ts';

const MAX_COMMENT = 200;
const DEFAULT_MAX_LENGTH = 1_024;
const TOOL_NAME = new RegExp(ID_PATTERN);
const VERSION = /^(?:0|[1-9][0-9]{0,8})(?:\.(?:0|[1-9][0-9]{0,8})){2}$/;
/** Words of CEL, which follow no dot. */
const RESERVED = ['in', 'true', 'false', 'null'];

/**
 * A catalogue in YAML, which cannot be imported before a person decides each TODO. Descriptions are in comments only.
 * @throws {CommandError} if it has no tools, too many, or two whose names can be mistaken for each other
 */
export function draftTools(title: string, { version, tools }: Source): string {
  const named = tools.filter(({ name }) => TOOL_NAME.test(name));
  const unnamed = tools.filter(({ name }) => !TOOL_NAME.test(name));
  assertDistinct(named);
  if (named.length === 0) throw new CommandError('no tool is described there whose name a catalogue can have');
  const given = typeof version === 'string' && VERSION.test(version) ? version : '1.0.0';
  return [
    ...comment('', `A draft from ${title}`),
    '# Each TODO is for a person to decide. Delete identity and amounts where no money moves.',
    ...unnamed.flatMap(({ name }) => comment('', `left out: a catalogue cannot have the name ${name}`)),
    'tools:',
    ...named.flatMap((tool) => draftTool(tool, given)),
  ].join('\n');
}

/** A text of a stranger: one line of visible characters. */
export function inOneLine(text: string): string {
  const line = text.slice(0, 10 * MAX_COMMENT).replaceAll(/\s+/g, ' ');
  const characters = [...visibly(line.trim())];
  return characters.length > MAX_COMMENT ? `${characters.slice(0, MAX_COMMENT).join('')}…` : characters.join('');
}

function comment(indent: string, text: unknown): readonly string[] {
  const line = typeof text === 'string' ? inOneLine(text) : '';
  return line === '' ? [] : [`${indent}# ${line}`];
}

function assertDistinct(tools: readonly SourceTool[]): void {
  if (tools.length > MAX_TOOLS)
    throw new CommandError(`a catalogue has at most ${MAX_TOOLS} tools, not ${tools.length}`);
  for (const [one, other] of Map.groupBy(tools, ({ name }) => foldToolName(name)).values()) {
    if (one === undefined || other === undefined) continue;
    throw new CommandError(`${other.name} can be mistaken for ${one.name}, which is there too (TOOL_NAME_CONFUSABLE)`);
  }
}

function draftTool({ name, about, claims, args, responds }: SourceTool, version: string): readonly string[] {
  const key = `${name}@${version}`;
  const [taken, given] = [draftMembers('args', args), draftMembers('responds', responds)];
  const once = ['idempotency_key', 'idempotencyKey'].filter((each) => taken.types.get(each)?.startsWith('string'));
  const ids = [...given.types].flatMap(([field, type]) => (/^(?:string|int)/.test(type) ? [field] : []));
  return [
    ...comment('  ', about),
    ...comment('  ', claims === undefined ? '' : `unverified claims: ${JSON.stringify(claims)}`),
    `  ${/^\w/.test(name) ? key : JSON.stringify(key)}:`,
    '    effect: revenue_write # until a person decides: none, write or revenue_write',
    '    replay: recorded',
    ...taken.lines,
    ...given.lines,
    ...comment('    identity: ', `TODO: the response's field that names the act: ${ids.join(', ') || 'none is there'}`),
    '    amounts: # TODO: such as args.amount in EUR',
    ...once.map((each) => `    # once: args.${each}`),
  ];
}

/** The part `args` or `responds` of a description, with the types by name. */
function draftMembers(part: string, { members, lost }: Members) {
  const types = new Map<string, string>();
  const lines = members.flatMap((member) => {
    const { name, schema } = member;
    const type = types.has(name) ? { lost: 'is there twice' } : typeOf(member);
    if (typeof type !== 'string') return comment('      ', `left out: ${name} ${type.lost}`);
    types.set(name, type);
    const todo = type === '' ? ' # TODO: decimal(2), with the number of decimals that the tool takes' : ` ${type}`;
    return [`      ${name}:${todo}${comment(' ', schema['description']).join('')}`];
  });
  const rest = lost === undefined ? [] : comment('      ', `left out: ${lost}`);
  return { types, lines: [`    ${part}:${types.size === 0 ? ' {}' : ''}`, ...lines, ...rest] };
}

type Lost = { readonly lost: string };

function typeOf({ name, schema, isRequired }: Members['members'][number]): string | Lost {
  if (!IDENTIFIER.test(name) || RESERVED.includes(name)) return { lost: 'cannot be named in conditions' };
  if (!isRequired) return { lost: 'is optional' };
  const type = draftType(schema);
  return typeof type === 'string' ? type : { lost: `${type.lost}, though it is required` };
}

/** The type of a JSON schema as it is written in YAML, empty if a person must decide; or why the language has none. */
function draftType(schema: Loose): string | Lost {
  const { type, maxLength, nullable, enum: values = 'const' in schema ? [schema['const']] : undefined } = schema;
  if (nullable === true || (Array.isArray(type) && type.includes('null'))) return { lost: 'may be null' };
  if (Array.isArray(values) && (type === 'string' || type === undefined)) {
    const isEnum = values.length > 0 && values.length <= MAX_ENUM_VALUES && new Set(values).size === values.length;
    if (isEnum && values.every(isEnumValue)) return JSON.stringify(`enum(${values.join(', ')})`);
    return { lost: 'has values that no enum can have' };
  }
  if (type === 'string') return `string(${Math.min(lengthOf(maxLength), MAX_STRING_CODE_POINTS)})`;
  if (type === 'boolean') return 'bool';
  if (type === 'integer') return draftInt(schema);
  if (type === 'number') return '';
  return { lost: type === 'array' || type === 'object' ? `is an ${type}` : 'has no single type' };
}

/** Bounds that are not exact are left out. */
function draftInt({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Loose): string | Lost {
  const min = Math.max(...exact(Math.ceil(numberOf(minimum)), Math.floor(numberOf(exclusiveMinimum)) + 1));
  const max = Math.min(...exact(Math.floor(numberOf(maximum)), Math.ceil(numberOf(exclusiveMaximum)) - 1));
  if (min > max) return { lost: 'has an empty range' };
  const range = [min, max].map((bound) => (Number.isFinite(bound) ? bound : '')).join('..');
  return range === '..' ? 'int' : `int(${range})`;
}

const numberOf = (bound: unknown): number => (typeof bound === 'number' ? bound : Number.NaN);
const exact = (...bounds: readonly number[]): readonly number[] => bounds.filter(Number.isSafeInteger);
const lengthOf = (max: unknown): number => exact(numberOf(max)).find((each) => each >= 0) ?? DEFAULT_MAX_LENGTH;

/** Whether it can be written between the parentheses of an enum, and be read there. */
const isEnumValue = (value: unknown): boolean =>
  typeof value === 'string' &&
  value.length <= MAX_ENUM_CODE_POINTS &&
  /^[^\s(),]+(?: +[^\s(),]+)*$/.test(value) &&
  visibly(value) === value;
