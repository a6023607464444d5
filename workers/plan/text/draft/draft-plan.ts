import type { ToolDocument } from '../../../exact/tool-schema.ts';
import {
  describeType,
  type NumberType,
  type StateType,
  scaleOf,
  toStateType,
  toType,
  type ValueType,
} from '../types/value-type.ts';

/** What is asked before a plan is drafted. */
export interface PlanAnswers {
  readonly title: string;
  /** RFC 3339. */
  readonly expires: string;
  readonly tools: readonly ToolDocument[];
  /** Most actions of each step. */
  readonly most: number;
  /** Most of each number that moves money, in all actions together. */
  readonly limit: string;
}

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Drafts the text of a plan with a step for each tool: amounts are positive and limited, evidence is bound to the identity,
 * states have their least values. The text compiles; its comments say what the author still has to decide.
 */
export function draftPlan(answers: PlanAnswers): string {
  const steps = nameSteps(answers.tools);
  const states = new Map(
    answers.tools.flatMap(({ state }) => Object.entries(state)).map(([name, json]) => [name, toStateType(json)]),
  );
  const recorded = steps.some(({ tool }) => tool.replay === 'recorded')
    ? [`recorded: ${steps.length * answers.most}`]
    : [];
  const rules = steps.flatMap(({ name, tool }) => rulesOf(name, tool, answers.limit));
  return [
    `plan: ${JSON.stringify(answers.title)}`,
    `expires: ${answers.expires}`,
    ...recorded,
    ...section(
      'state',
      [...states].map(([name, type]) => `  ${name}: ${initialOf(type)}`),
    ),
    'steps:',
    ...steps.flatMap(({ name, tool }) => stepLines(name, tool, answers.most)),
    ...section('rules', rules),
    '',
  ].join('\n');
}

const section = (name: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`${name}:`, ...lines];

interface DraftStep {
  readonly name: string;
  readonly tool: ToolDocument;
}

const WORDS = new Set(['args', 'response', 'state', 'started_at', 'ended_at', 'approved_at', 'approvals', 'receipt']);
/** Words that CEL keeps for itself. */
const CEL_WORDS = new Set(
  'as break const continue else false for function if import in let loop package namespace null return true var void while'.split(
    ' ',
  ),
);

/** The last word of each tool's name, with a number if it is taken. */
function nameSteps(tools: readonly ToolDocument[]): readonly DraftStep[] {
  const taken = new Set([...WORDS, ...CEL_WORDS]);
  return tools.map((tool) => {
    const last = tool.name.split(/[.:-]/).at(-1) ?? '';
    const word = IDENTIFIER.test(last) ? last : 'act';
    let name = word;
    for (let number = 2; taken.has(name); number += 1) name = `${word}_${number}`;
    taken.add(name);
    return { name, tool };
  });
}

function initialOf(type: StateType | undefined): string {
  if (type === undefined) return '0';
  if (type.type === 'map') {
    return JSON.stringify(
      `map(${describeType(type.key)}, ${describeType(type.value)}, default ${leastOf(type.value)})`,
    );
  }
  const shown = describeType(type);
  return `{ type: ${JSON.stringify(shown)}, initial: ${leastOf(type)} }`;
}

function leastOf(type: ValueType): string {
  switch (type.type) {
    case 'int':
    case 'decimal':
      return type.min === undefined ? zero(type) : String(type.min);
    case 'bool':
      return 'false';
    case 'enum':
      return JSON.stringify(type.values[0] ?? '');
    case 'string':
      return '""';
    case 'time':
      return '1970-01-01T00:00:00Z';
    case 'duration':
      return '0s';
  }
}

const zero = (type: NumberType): string => (scaleOf(type) === 0 ? '0' : `0.${'0'.repeat(scaleOf(type))}`);

const argumentsOf = ({ args }: ToolDocument) =>
  Object.entries(args).flatMap(([name, json]) => {
    const type = toType(json);
    return type === undefined ? [] : [{ name, type, written: IDENTIFIER.test(name) ? `args.${name}` : undefined }];
  });

function stepLines(name: string, tool: ToolDocument, most: number): readonly string[] {
  const moves = tool.effect === 'revenue_write';
  const where = moves
    ? argumentsOf(tool).flatMap(({ type, written }) =>
        written !== undefined && isNumber(type) ? [`${written} > ${zero(type)}`] : [],
      )
    : [];
  const free = moves
    ? argumentsOf(tool).flatMap(({ type, written }) =>
        written !== undefined && type.type === 'string'
          ? [`    # Decide what ${written} must be: ${written} == "…", or ${written} in a table.`]
          : [],
      )
    : [];
  return [
    `  ${name}:`,
    `    tool: ${tool.name}@${tool.version}`,
    `    times: 0..${most}`,
    ...free,
    ...(where.length === 0 ? [] : [`    where: ${where.join(' && ')}`]),
    ...evidenceLines(tool),
  ];
}

const isNumber = (type: ValueType): type is NumberType => type.type === 'int' || type.type === 'decimal';

function evidenceLines({ effect, identity, responds }: ToolDocument): readonly string[] {
  if (effect === 'none') return [];
  const field = identity ?? Object.keys(responds)[0];
  if (field === undefined || !IDENTIFIER.test(field)) return [];
  const reads = `reads: { ${field}: /${field} }`;
  return [
    '    evidence:',
    `      receipt: { type: application/json, ${reads}, where: receipt.${field} == response.${field} }`,
  ];
}

/** The sum of each amount is limited, and no act is counted twice. */
function rulesOf(name: string, tool: ToolDocument, limit: string): readonly string[] {
  if (tool.effect !== 'revenue_write') return [];
  const sums = argumentsOf(tool).flatMap(({ name: argument, type, written }) =>
    type.type === 'decimal' && written !== undefined
      ? [`  ${name}_${argument}: sum(${name}, p, p.args.${argument}) <= ${limit}`]
      : [],
  );
  const { identity } = tool;
  const once =
    identity !== null && IDENTIFIER.test(identity)
      ? [`  ${name}_once: unique(${name}, p, p.response.${identity})`]
      : [];
  return [...sums, ...once];
}
