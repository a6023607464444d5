import { createHash } from 'node:crypto';
import { canonicalText } from '../../exact/canonical-json.ts';
import type { PlanDocument } from '../../exact/plan-schema.ts';
import { ofType } from '../bounds/numbers.ts';
import { claimsOfRun, claimsOfStep } from '../claims.ts';
import { effectsOf, expressionsOf, isChanged, referencesIn } from '../expressions.ts';
import type { Finding } from '../finding.ts';
import type { Expression } from '../language/terms.ts';
import { scaleOf } from '../language/types.ts';
import { childrenOf } from '../language/walk.ts';
import { findDangers } from '../lint/dangers.ts';
import type { Plan } from '../plan.ts';
import { type PlanParts, type PlanTexts, readViewedPlan, type ViewedPlan } from './parts/viewed-plan.ts';
import { choiceLines, isDescribedHere } from './sections/choice-section.ts';
import { differenceLines, reserveInWords } from './sections/difference-section.ts';
import { moneyLines } from './sections/money-section.ts';
import { type Comparison, payeeLines } from './sections/payee-section.ts';
import { effectLines, stepLines } from './sections/step-section.ts';
import { tableLines } from './sections/table-section.ts';
import { uncheckedLines } from './sections/unchecked-section.ts';
import { describeAmount } from './words/amount.ts';
import { code, listed, plural } from './words/escape.ts';
import { inWords, ruleInWords, writtenInWords } from './words/expression-words.ts';
import { fieldsOf } from './words/json-expression.ts';
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

/** What was found out about a plan besides its texts. */
export interface ViewContext {
  /** The hash that an approval names. */
  readonly hash: string;
  /** The plan that this one supersedes. */
  readonly predecessor?: PlanParts;
  /** Payees are shown, compared with those of another plan if there is one. */
  readonly payees?: { readonly compared?: Comparison };
  /** What lint said when the plan was stored. */
  readonly lint: readonly Finding[];
}

/** The heading of what follows what decides. */
const DETAILS = 'Details';
const DIFFERENCES = 'Differences from the plan before';

/** A heading, and the lines under it. */
type Section = readonly [string, readonly string[]];

/**
 * What an approver reads: a plan in words, as Markdown. It is made from the canonical form, which is what is approved, and
 * never from the author's text. What money can move, and what the agent may choose, is computed from the plan as it is judged.
 * Names and texts of the plan are code spans, so that none can pass as the service's words.
 * @throws {PlanError} @throws {DocumentError} as `readPlan`
 */
export function viewPlan(
  document: PlanDocument,
  texts: PlanTexts,
  { hash, predecessor, payees, lint }: ViewContext,
): string {
  const viewed = readViewedPlan(document, texts);
  const { plan } = viewed;
  const own = findDangers(plan);
  // Those that were stored with the plan are found again.
  const others = lint.filter(({ code: id, path }) => !own.some((each) => each.code === id && each.path === path));
  const first: readonly Section[] = [
    ['Warnings', findingLines([...others, ...own])],
    [DIFFERENCES, predecessor === undefined ? supersededLines(document) : changes(predecessor, viewed)],
    ['What money can move', moneyLines(plan)],
    ['What the agent may do', choiceLines(viewed)],
    ['Rules for the whole run', ruleLines(viewed)],
    ['Rules over all runs together', runRuleLines(document)],
    // Apart from the view of the canonical form: another plan decides what is new.
    ['Payees', payees === undefined ? [] : payeeLines(plan, payees.compared)],
  ];
  const details: readonly Section[] = [
    ['What is done', document.steps.flatMap((step) => stepLines(step, viewed))],
    ['What is not checked', uncheckedLines(plan)],
    ['Given values and states', valueLines(document)],
    ['Tables', tableLines(viewed)],
  ];
  return [
    `# Plan ${code(document.title)}`,
    '',
    `Hash to approve: ${code(hash)}`,
    '',
    `Expires at ${code(document.expires_at)}, for ${plural(document.max_executions, 'run')}. ${approvals(plan)}${reservation(document)}`,
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

function ruleLines(viewed: ViewedPlan): readonly string[] {
  const { document, sheets } = viewed;
  const rules = document.constraints.map(({ id, expr }) => `- ${code(id)}: ${ruleInWords(expr, document)}`);
  const uses = document.sheets.flatMap((use) => {
    const name = `${use.name}@${use.version}`;
    const binds = Object.entries(use.bind).map(([own, expr]) => `  - its ${code(own)} is ${inWords(expr, document)}`);
    const where = use.scope === 'plan' ? 'the run' : `each action of ${code(use.scope.slice('each:'.length))}`;
    return [
      `- the sheet ${code(name)} (SHA-256 ${code(use.sha256)}) for ${where}:`,
      ...binds,
      ...(sheets.get(name)?.constraints ?? []).map(({ expr }) => `  - ${inWords(expr, { variables: {} })}`),
    ];
  });
  const lines = [...rules, ...uses, ...stateLines(viewed)];
  return lines.length === 0 ? ['There is no rule for the whole run.'] : lines;
}

/** Over a run and those that were recorded before it, whatever became of them. */
const runRuleLines = (document: PlanDocument): readonly string[] =>
  (document.runs ?? []).map(({ id, expr }) => `- ${code(id)}: ${ruleInWords(expr, document)}`);

/** Where the states begin that rules read or that have limits, and how the plan changes them. What tools change is in the details. */
function stateLines(viewed: ViewedPlan): readonly string[] {
  const { document, plan, tools } = viewed;
  const read = statesRead(plan);
  return Object.entries(document.state).flatMap(([name, json]) => {
    const fields = fieldsOf(json);
    const begins = fields.get('initial') ?? fields.get('default');
    const type = fields.get('type') === 'map' ? fieldsOf(fields.get('value')).get('type') : fields.get('type');
    const limits = limitsInWords(name, plan);
    if (!read.has(name) && (limits === '' || !isChanged(name, plan))) return [];
    const effects = plan.steps.flatMap((step, index) => {
      const described = isDescribedHere(step, viewed) ? tools.get(step.tool.ref) : undefined;
      return [document.steps[index]?.effects, described?.effects].flatMap((all) => {
        const effect = fieldsOf(all).get(name);
        const by = `by ${code(step.stepId)}, as this plan says`;
        return effect === undefined ? [] : effectLines({ [name]: effect }, viewed, by);
      });
    });
    const start = begins === undefined ? '' : ` begins as ${writtenInWords(type, begins)}`;
    return [`- the state ${code(name)}${start}${limits}`, ...effects];
  });
}

/** The states that conditions and rules read, and those by which effects change another state. */
function statesRead(plan: Plan): ReadonlySet<string> {
  const rules = [
    ...claimsOfRun(plan).map(({ expression }) => expression),
    ...plan.steps.flatMap((step) => claimsOfStep(step, plan)),
  ];
  const read = new Set(statesIn(rules));
  for (const { effects, mapEffects } of [...plan.tools.values(), ...plan.steps]) {
    const changes = [
      ...Array.from(effects, ([changed, effect]) => ({ changed, names: statesIn([effect]) })),
      ...Array.from(mapEffects, ([changed, updates]) => ({
        changed,
        names: statesIn(effectsOf({ effects: new Map(), mapEffects: new Map([[changed, updates]]) })),
      })),
    ];
    for (const { changed, names } of changes) for (const name of names) if (name !== changed) read.add(name);
  }
  return read;
}

const statesIn = (expressions: readonly Expression[]): readonly string[] =>
  expressions
    .flatMap(referencesIn)
    .flatMap(({ scope, name }) => (scope === 'state' || scope === 'final' ? [name] : []));

/** Most states that begin at their least value only rise, so it is left out. */
function limitsInWords(name: string, plan: Plan): string {
  const map = plan.maps.get(name);
  const state = plan.state.get(name);
  const [type, begins] = map === undefined ? [state?.type, state?.value] : [map.value, map.byDefault];
  if (type === undefined || (type.type !== 'int' && type.type !== 'decimal')) return '';
  const { min, max } = ofType(type);
  const limits = [
    ...(min === undefined || min === begins ? [] : [`at least **${describeAmount(min, scaleOf(type))}**`]),
    ...(max === undefined || max === begins ? [] : [`at most **${describeAmount(max, scaleOf(type))}**`]),
  ];
  return limits.length === 0 ? '' : `, and must stay ${listed(limits)}`;
}

function approvals(plan: Plan): string {
  const groups = new Set(approversAsked(expressionsOf(plan)));
  const named = groups.size === 0 ? '' : ` Rules ask about approvers of ${listed([...groups].map(code))}.`;
  return `${plural(plan.approvals, 'approver')} must approve${plan.approvals > 1 ? ', each with another key' : ''}.${named}`;
}

function reservation(document: PlanDocument): string {
  const time = reserveInWords(document);
  return time === undefined
    ? ''
    : ` An act may be reserved for ${code(time)} before it is done: its part of the limits, and a run.`;
}

/** Where a rule asks that a group has not approved, it names nobody who must. */
const approversAsked = (expressions: readonly Expression[]): readonly string[] =>
  expressions.flatMap((node) => {
    if (node.op === 'approved_by') return [node.group];
    const isExcluded = node.op === 'not' && node.arg.op === 'approved_by';
    return isExcluded ? [] : approversAsked(childrenOf(node));
  });

function valueLines({ variables, state }: PlanDocument): readonly string[] {
  const given = Object.entries(variables).map(([name, json]) => {
    const fields = fieldsOf(json);
    const value = writtenInWords(fields.get('type'), fields.get('value'));
    return `- ${code(name)} is ${value}, ${typeInWords(json, 'value')}`;
  });
  const states = Object.entries(state).map(([name, json]) => {
    const fields = fieldsOf(json);
    const initial = fields.get('initial');
    const begins = initial === undefined ? '' : `, and begins as ${writtenInWords(fields.get('type'), initial)}`;
    return `- the state ${code(name)} is ${typeInWords(json, 'initial')}${begins}`;
  });
  return [...given, ...states];
}

const supersededLines = ({ supersedes }: PlanDocument): readonly string[] =>
  supersedes === null ? [] : [`It replaces the plan ${code(supersedes)}, which is not available here.`];

function changes(before: PlanParts, viewed: ViewedPlan): readonly string[] {
  const { supersedes } = viewed.document;
  const lines = differenceLines(before, viewed);
  const replaces =
    supersedes === null
      ? '**It does not replace that plan**: if both are approved, both can run.'
      : `It replaces the plan ${code(supersedes)}.`;
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
