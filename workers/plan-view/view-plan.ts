import { createHash } from 'node:crypto';
import type { PlanDocument } from '../exact/plan-schema.ts';
import { canonicalText } from '../plan-text/tools/known-tool.ts';
import { describeAmount, toAmount } from './bounds/amount.ts';
import { dangersOf } from './lint/find-dangers.ts';
import { code, listed, plural } from './markdown/escape.ts';
import { operandsOf } from './parts/expression.ts';
import {
  computedParts,
  type Finding,
  fieldsOf,
  isChanged,
  ownTool,
  type PlanParts,
  readParts,
  statesRead,
  type ViewContext,
} from './parts/plan-parts.ts';
import { choiceLines } from './sections/choice-section.ts';
import { differenceLines } from './sections/difference-section.ts';
import { moneyLines } from './sections/money-section.ts';
import { effectLines, stepLines } from './sections/step-section.ts';
import { tableLines } from './sections/table-section.ts';
import { uncheckedLines } from './sections/unchecked-section.ts';
import { duration, inWords, ruleInWords } from './words/expression-words.ts';
import { typeInWords } from './words/type-words.ts';

/**
 * The hash that an approval names: SHA-256("tollhouse:plan:v1\0" ‖ canonical text), in lower-case hex.
 * @param document the plan as it was sent
 */
export function hashPlan(document: unknown): string {
  return createHash('sha256')
    .update(`tollhouse:plan:v1\0${canonicalText(document)}`)
    .digest('hex');
}

/** The heading of what follows what decides. */
const DETAILS = 'Details';
const DIFFERENCES = 'Differences from the plan before';

/** A heading, and the lines under it. */
type Section = readonly [string, readonly string[]];

/**
 * What an approver reads: a plan in words, as Markdown. It is made from the canonical form, which is what is approved, and
 * never from the author's text. Names and texts of the plan are code spans, so that none can pass as the service's words.
 */
export function viewPlan(plan: PlanDocument, context: ViewContext): string {
  const parts = readParts(plan, context);
  const { hash, predecessor } = context;
  const first: readonly Section[] = [
    ['Warnings', findingLines([...context.lint, ...dangersOf(parts)])],
    [DIFFERENCES, predecessor === undefined ? supersededLines(plan) : changes(predecessor, parts, context)],
    ['What money can move', moneyLines(parts)],
    ['What the agent may do', choiceLines(parts)],
    ['Rules for the whole run', ruleLines(parts)],
  ];
  const details: readonly Section[] = [
    ['What is done', plan.steps.flatMap((step) => stepLines(step, parts))],
    ['What is not checked', uncheckedLines(parts)],
    ['Given values and states', valueLines(plan)],
    ['Tables', tableLines(parts)],
  ];
  return [
    `# Plan ${code(plan.title)}`,
    '',
    `Hash to approve: ${code(hash)}`,
    '',
    `Expires at ${code(plan.expires_at)}, for ${plural(plan.max_executions, 'run')}. ${approvals(parts)}`,
    ...first.flatMap((section) => linesOf('##', section)),
    '',
    `## ${DETAILS}`,
    ...details.flatMap((section) => linesOf('###', section)),
    '',
  ].join('\n');
}

const linesOf = (level: string, [title, lines]: Section): readonly string[] =>
  lines.length === 0 ? [] : ['', `${level} ${title}`, '', ...lines];

/** The view without its details. */
export const withoutDetails = (view: string): string => view.slice(0, view.indexOf(`\n## ${DETAILS}\n`));

function ruleLines(parts: PlanParts): readonly string[] {
  const { plan, sheets } = parts;
  const rules = plan.constraints.map(({ id, expr }) => `- ${code(id)}: ${ruleInWords(expr, plan)}`);
  const uses = plan.sheets.flatMap((use) => {
    const sheet = sheets.find(({ name, version }) => name === use.name && version === use.version);
    const binds = Object.entries(use.bind).map(([name, expr]) => `  - its ${code(name)} is ${inWords(expr, plan)}`);
    const where = use.scope === 'plan' ? 'the run' : `each action of ${code(use.scope.slice('each:'.length))}`;
    const own = sheet?.constraints.map(({ expr }) => `  - ${inWords(expr, { variables: {} })}`);
    return [
      `- the sheet ${code(`${use.name}@${use.version}`)} (SHA-256 ${code(use.sha256)}) for ${where}:`,
      ...binds,
      ...(own ?? ['  - **its rules are not available here**']),
    ];
  });
  const lines = [...rules, ...uses, ...stateLines(parts)];
  return lines.length === 0 ? ['There is no rule for the whole run.'] : lines;
}

/** Where the states begin that rules read or that have limits, and how the plan changes them. What tools change is in the details. */
function stateLines(parts: PlanParts): readonly string[] {
  const read = statesRead(parts);
  return Object.entries(parts.plan.state).flatMap(([name, json]) => {
    const fields = fieldsOf(json);
    const begins = fields.get('initial') ?? fields.get('default');
    const limits = limitsInWords(fields.has('value') ? fieldsOf(fields.get('value')) : fields, begins);
    if (!read.has(name) && (limits === '' || !isChanged(name, parts))) return [];
    const effects = parts.plan.steps.flatMap((step) =>
      [step.effects, ownTool(step, parts)?.effects].flatMap((all) => {
        const effect = fieldsOf(all).get(name);
        const by = `by ${code(step.step_id)}, as this plan says`;
        return effect === undefined ? [] : effectLines({ [name]: effect }, parts, by);
      }),
    );
    const start = begins === undefined ? '' : ` begins as ${code(String(begins))}`;
    return [`- the state ${code(name)}${start}${limits}`, ...effects];
  });
}

/** Most states that begin at their least value only rise, so it is left out. The `max` of a text is its length. */
function limitsInWords(type: ReadonlyMap<string, unknown>, begins: unknown): string {
  if (type.get('type') === 'string') return '';
  const limits = ['min', 'max'].flatMap((side) => {
    const limit = type.get(side) === begins ? undefined : toAmount(type.get(side));
    return limit === undefined ? [] : `${side === 'min' ? 'at least' : 'at most'} **${describeAmount(limit)}**`;
  });
  return limits.length === 0 ? '' : `, and must stay ${listed(limits)}`;
}

function approvals(parts: PlanParts): string {
  const { plan } = parts;
  const groups = new Set(approversAsked(computedParts(parts)));
  const named = groups.size === 0 ? '' : ` Rules ask about approvers of ${listed([...groups].map(code))}.`;
  return `${plural(plan.approvals, 'approver')} must approve${plan.approvals > 1 ? ', each with another key' : ''}.${named}`;
}

/** Where a rule asks that a group has not approved, it names nobody who must. */
function approversAsked(part: unknown): readonly string[] {
  const [group] = operandsOf(part, 'approved_by') ?? [];
  if (typeof group === 'string') return [group];
  const isExcluded = operandsOf(operandsOf(part, 'not')?.[0], 'approved_by') !== undefined;
  return isExcluded || typeof part !== 'object' || part === null ? [] : Object.values(part).flatMap(approversAsked);
}

function valueLines({ variables, state }: PlanDocument): readonly string[] {
  const given = Object.entries(variables).map(([name, json]) => {
    const fields = fieldsOf(json);
    const value =
      fields.get('type') === 'duration' ? duration([fields.get('value')]) : code(String(fields.get('value')));
    return `- ${code(name)} is ${value}, ${typeInWords(json, 'value')}`;
  });
  const states = Object.entries(state).map(([name, json]) => {
    const initial = fieldsOf(json).get('initial');
    const begins = initial === undefined ? '' : `, and begins as ${code(String(initial))}`;
    return `- the state ${code(name)} is ${typeInWords(json, 'initial')}${begins}`;
  });
  return [...given, ...states];
}

const supersededLines = ({ supersedes }: PlanDocument): readonly string[] =>
  supersedes === null ? [] : [`It replaces the plan ${code(supersedes)}, which is not available here.`];

function changes(before: PlanDocument, parts: PlanParts, context: ViewContext): readonly string[] {
  const { plan } = parts;
  const lines = differenceLines(readParts(before, context), parts);
  const replaces =
    plan.supersedes === null
      ? '**It does not replace that plan**: if both are approved, both can run.'
      : `It replaces the plan ${code(plan.supersedes)}.`;
  return lines.length === 0 ? [`${replaces} Nothing else differs.`] : [replaces, '', ...lines];
}

function findingLines(findings: readonly Finding[]): readonly string[] {
  const seen = new Set<string>();
  const lines = findings.flatMap(({ code: id, path, message }) => {
    const line = `- ${code(id)} at ${code(path === '' ? '/' : path)}: ${code(message)}`;
    if (seen.has(line)) return [];
    seen.add(line);
    return [line];
  });
  return lines.length === 0 ? ['None.'] : lines;
}
