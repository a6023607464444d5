import { foldToolName } from '../../../../../services/verification/catalogue/fold-tool-name.ts';
import { MAX_TOOLS } from '../../../../../services/verification/catalogue/keep-tool.ts';
import { MAX_NAMED_VALUES } from '../../../../../workers/exact/bounds.ts';
import { ID_PATTERN } from '../../../../../workers/exact/document-parts.ts';
import { visibly } from '../../../../../workers/plan/view/words/escape.ts';
import { CommandError } from '../../../terminal/command.ts';
import { draftMember, isLost } from './draft-type.ts';
import type { Members, Source, SourceTool } from './source-tool.ts';

const MAX_COMMENT = 200;
const TOOL_NAME = new RegExp(ID_PATTERN);
const VERSION = /^(?:0|[1-9][0-9]{0,8})(?:\.(?:0|[1-9][0-9]{0,8})){2}$/;

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
function draftMembers(part: 'args' | 'responds', { members, lost }: Members) {
  /** Of what is always there. */
  const types = new Map<string, string>();
  const seen = new Set<string>();
  let left = MAX_NAMED_VALUES;
  const lines = members.flatMap((member) => {
    const { name, schema } = member;
    const drafted = seen.has(name) ? { lost: 'is there twice' } : draftMember(member, { part });
    if (isLost(drafted)) return comment('      ', `left out: ${name} ${drafted.lost}`);
    const { key, text, todo, leftOut } = drafted;
    left -= drafted.values;
    if (left < 0) {
      left += drafted.values;
      return comment('      ', `left out: ${name} has too many values, with those before it`);
    }
    seen.add(name);
    if (key === name) types.set(name, text);
    const about = comment(' ', schema['description']).join('');
    return [
      `      ${key}:${todo === undefined ? ` ${text}` : ` # TODO: ${text}, ${todo}`}${about}`,
      ...leftOut.flatMap((inner) => comment('      ', `left out: ${name}${inner.startsWith('[') ? '' : '.'}${inner}`)),
    ];
  });
  const rest = lost === undefined ? [] : comment('      ', `left out: ${lost}`);
  return { types, lines: [`    ${part}:${seen.size === 0 ? ' {}' : ''}`, ...lines, ...rest] };
}
