import { MAX_TOOLS } from '../../../../../services/verification/catalogue/keep-tool.ts';
import { foldToolName } from '../../../../../services/verification/tools/fold-tool-name.ts';
import { ID_PATTERN } from '../../../../../workers/exact/document-parts.ts';
import { CelError } from '../../../../../workers/plan/text/cel/cel-error.ts';
import { parseCel } from '../../../../../workers/plan/text/cel/parse-cel.ts';
import { IDENTIFIER } from '../../../../../workers/plan/text/yaml/fields.ts';
import { visibly } from '../../../../../workers/plan/view/words/escape.ts';
import { CommandError } from '../../../terminal/command.ts';
import { draftType } from './draft-type.ts';
import type { Member, Members, Source, SourceTool } from './source-tool.ts';

const MAX_COMMENT = 200;
const TOOL_NAME = new RegExp(ID_PATTERN);
const VERSION = /^(?:0|[1-9][0-9]{0,8})(?:\.(?:0|[1-9][0-9]{0,8})){2}$/;
const ONCE = ['idempotency_key', 'idempotencyKey'];

/**
 * A catalogue in YAML for a person to complete. It cannot be imported before each TODO is decided. Texts of the source are in
 * comments only.
 * @throws {CommandError} if it has no tools, or two whose names can be mistaken for each other
 */
export function draftTools({ title, version, tools }: Source): string {
  const named = tools.filter(({ name }) => TOOL_NAME.test(name));
  assertDistinct(named.map(({ name }) => name));
  if (named.length > MAX_TOOLS)
    throw new CommandError(`a catalogue has at most ${MAX_TOOLS} tools, not ${named.length}`);
  if (named.length === 0) throw new CommandError('no tool is described there whose name a catalogue can have');
  const given = typeof version === 'string' && VERSION.test(version) ? version : '1.0.0';
  const unnamed = tools.filter(({ name }) => !TOOL_NAME.test(name));
  return [
    ...comment('', `A draft from ${shown(title)} ${shown(version)}`),
    '# Each TODO is for a person to decide. Delete identity and amounts where no money moves.',
    ...unnamed.flatMap(({ name }) => comment('', `left out: a catalogue cannot have the name ${name}`)),
    'tools:',
    ...named.flatMap((tool) => draftTool(tool, given)),
  ].join('\n');
}

const shown = (text: unknown): string => (typeof text === 'string' ? text.slice(0, MAX_COMMENT / 4) : '');

/** A text of a stranger: one line of visible characters. */
export function inOneLine(text: string): string {
  const characters = [
    ...visibly(
      text
        .slice(0, 10 * MAX_COMMENT)
        .replaceAll(/\s+/g, ' ')
        .trim(),
    ),
  ];
  return characters.length > MAX_COMMENT ? `${characters.slice(0, MAX_COMMENT).join('')}…` : characters.join('');
}

function comment(indent: string, text: unknown): readonly string[] {
  const line = typeof text === 'string' ? inOneLine(text) : '';
  return line === '' ? [] : [`${indent}# ${line}`];
}

function assertDistinct(names: readonly string[]): void {
  const seen = new Map<string, string>();
  for (const name of names) {
    const other = seen.get(foldToolName(name));
    if (other !== undefined) {
      throw new CommandError(`${name} can be mistaken for ${other}, which is there too (TOOL_NAME_CONFUSABLE)`);
    }
    seen.set(foldToolName(name), name);
  }
}

function draftTool({ name, about, claims, args, responds }: SourceTool, version: string): readonly string[] {
  const key = `${name}@${version}`;
  const [taken, given] = [draftMembers('args', args), draftMembers('responds', responds)];
  const once = ONCE.filter((each) => taken.types.get(each)?.startsWith('string'));
  const ids = [...given.types].flatMap(([field, type]) => (/^(?:string|int)/.test(type) ? [field] : []));
  return [
    ...comment('  ', about),
    ...comment('  ', claims === undefined ? '' : `unverified claims: ${JSON.stringify(claims)}`),
    `  ${/^\w/.test(name) ? key : JSON.stringify(key)}:`,
    '    effect: revenue_write # until a person decides: none, write or revenue_write',
    '    replay: recorded',
    ...taken.lines,
    ...given.lines,
    ...comment('    ', responds === undefined ? 'the source describes no response' : ''),
    `    identity: ${inOneLine(`# TODO: the field of the response that names the act: ${ids.join(', ') || 'none is there'}`)}`,
    '    amounts: # TODO: such as args.amount in EUR',
    ...once.map((each) => `    # once: args.${each}`),
  ];
}

/** The part `args` or `responds` of a description, with the types by name. */
function draftMembers(part: string, { members, lost }: Members = { members: [], lost: [] }) {
  const types = new Map<string, string>();
  const lines: string[] = [];
  const leaveOut = (name: string, why: string) => lines.push(...comment('      ', `left out: ${name} ${why}`));
  for (const member of members) {
    const { name, schema, isRequired } = member;
    const why = reasonAgainst(member, types);
    if (why !== undefined) {
      leaveOut(name, why);
      continue;
    }
    const drafted = draftType(schema);
    if ('lost' in drafted) {
      leaveOut(name, `${drafted.lost}${isRequired ? ', though it is required' : ''}`);
      continue;
    }
    const said = typeof schema['description'] === 'string' ? [schema['description'].slice(0, 10 * MAX_COMMENT)] : [];
    const unkept = drafted.notKept.length > 0 ? [`not kept: ${drafted.notKept.join(', ')}`] : [];
    const notes = comment('', [...('todo' in drafted ? [`TODO: ${drafted.todo}`] : []), ...unkept, ...said].join('. '));
    const written = 'type' in drafted ? drafted.type : '';
    types.set(name, written);
    lines.push([`      ${name}:`, ...(written === '' ? [] : [written]), ...notes].join(' '));
  }
  for (const word of lost) lines.push(...comment('      ', `left out: ${word}`));
  return { types, lines: [`    ${part}:${types.size === 0 ? ' {}' : ''}`, ...lines] };
}

/** Why a catalogue cannot have the member, whatever its type is. */
function reasonAgainst({ name, isRequired }: Member, types: ReadonlyMap<string, string>): string | undefined {
  if (!IDENTIFIER.test(name) || isReserved(name)) return 'cannot be named in conditions';
  if (types.has(name)) return 'is there twice';
  return isRequired ? undefined : 'is optional';
}

/** A word of CEL, such as `in`. */
function isReserved(name: string): boolean {
  try {
    parseCel(`args.${name}`);
    return false;
  } catch (error) {
    if (error instanceof CelError) return true;
    throw error;
  }
}
