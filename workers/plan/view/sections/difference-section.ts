import { canonicalText } from '../../../exact/canonical-json.ts';
import { describeMicroseconds } from '../../../exact/durations.ts';
import type { PlanDocument, StepDocument } from '../../../exact/plan-schema.ts';
import { type PlanParts, type Row, rowsOf } from '../parts/viewed-plan.ts';
import { code, listed, plural } from '../words/escape.ts';
import { inWords, writtenInWords } from '../words/expression-words.ts';
import { fieldsOf } from '../words/json-expression.ts';
import { timesInWords, typeInWords } from '../words/type-words.ts';
import {
  afterInWords,
  effectLines,
  overlapsInWords,
  readsInWords,
  toolLines,
  stepLines as wholeStep,
} from './step-section.ts';

/** Changed rows of a table that are shown. Beyond them, their number is said. */
const MAX_ROW_CHANGES = 1_000;

/** How a plan differs from the one before it, in words. Empty if it does not. */
export function differenceLines(old: PlanParts, now: PlanParts): readonly string[] {
  const [before, after] = [old.document, now.document];
  const words = (plan: PlanDocument) => (expr: unknown) => inWords(expr, plan);
  return [
    ...headerLines(before, after),
    ...membersLines('the given value', before.variables, after.variables, valueInWords('value')),
    ...membersLines('the table', before.tables, after.tables, tableInWords),
    ...Object.keys(after.tables).flatMap((name) => rowChanges([earlierName(name, before, after), name], old, now)),
    ...membersLines('the state', before.state, after.state, valueInWords('initial')),
    ...membersLines('the tool', toolsOf(before), toolsOf(after), code),
    ...toolChanges(old, now),
    ...stepsLines(old, now),
    ...membersLines('the rule', rulesOf(before.constraints), rulesOf(after.constraints), words(after), words(before)),
    ...membersLines(
      'the rule over all runs',
      rulesOf(before.runs ?? []),
      rulesOf(after.runs ?? []),
      words(after),
      words(before),
    ),
    ...membersLines('the sheet', sheetsOf(before), sheetsOf(after), (use) => code(canonicalText(use))),
  ];
}

function headerLines(before: PlanDocument, after: PlanDocument): readonly string[] {
  const parts: readonly (readonly [string, string | number | null, string | number | null])[] = [
    ['the title', before.title, after.title],
    ['the expiry', before.expires_at, after.expires_at],
    ['the number of runs', before.max_executions, after.max_executions],
    ['the number of recorded actions', before.max_recorded, after.max_recorded],
    ['what outcomes are allowed', before.outcomes ?? 'all', after.outcomes ?? 'all'],
    ['how long an act may be reserved', reserveInWords(before) ?? 'no time', reserveInWords(after) ?? 'no time'],
    ['the number of approvals', before.approvals, after.approvals],
  ];
  return parts.flatMap(([what, old, now]) =>
    old === now ? [] : [`- ${what} was ${code(String(old))}, and is ${code(String(now))}`],
  );
}

/** In the unit of plans: `10m`. */
export const reserveInWords = ({ reserve }: PlanDocument): string | undefined =>
  reserve === undefined ? undefined : describeMicroseconds(BigInt(reserve) * 1_000_000n);

type Members<T> = Readonly<Record<string, T>>;

/** Members that were added, removed or changed. */
function membersLines<T>(
  what: string,
  before: Members<T>,
  after: Members<T>,
  describe: (member: T, name: string) => string,
  describeOld: (member: T, name: string) => string = describe,
): readonly string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((name) => {
    const old = Object.hasOwn(before, name) ? before[name] : undefined;
    const now = Object.hasOwn(after, name) ? after[name] : undefined;
    if (old === undefined && now !== undefined) return [`- ${what} ${code(name)} is **new**: ${describe(now, name)}`];
    if (now === undefined && old !== undefined)
      return [`- ${what} ${code(name)} is **gone**: ${describeOld(old, name)}`];
    if (old === undefined || now === undefined || canonicalText(old) === canonicalText(now)) return [];
    return [`- ${what} ${code(name)} changed, from: ${describeOld(old, name)} — to: ${describe(now, name)}`];
  });
}

const valueInWords =
  (part: 'value' | 'initial') =>
  (json: unknown): string => {
    const fields = fieldsOf(json);
    const value = fields.get(part);
    const shown = value === undefined ? '' : ` ${writtenInWords(fields.get('type'), value)}`;
    return `${typeInWords(json, part)}${shown}`;
  };

function tableInWords(table: PlanDocument['tables'][string]): string {
  const columns = Object.entries(table.columns).map(([column, type]) => `${code(column)} ${typeInWords(type)}`);
  const form = `by ${listed(table.key.map(code))}, with ${listed(columns)}`;
  return 'inline' in table
    ? `${plural(table.inline.length, 'row')} in the plan, ${form}`
    : `${plural(table.rows, 'row')}, SHA-256 ${code(table.sha256)}, ${form}`;
}

/**
 * Every row that was added, removed or changed. Kinds of changes come in the order of their frequency, the rarest one first,
 * so that many harmless changes hide no other.
 */
function rowChanges([oldName, name]: readonly [string, string], old: PlanParts, now: PlanParts): readonly string[] {
  const [before, after] = [tableOf(old.document, oldName), tableOf(now.document, name)];
  if (before === undefined || after === undefined || canonicalText(before) === canonicalText(after)) return [];
  const [rowsBefore, rowsAfter] = [rowsOf(old, oldName), rowsOf(now, name)];
  if (rowsBefore === undefined || rowsAfter === undefined) {
    return [`- **which rows of ${code(name)} changed is not known here**`];
  }
  // With another key, rows of one key may be several before.
  const isSameKey = canonicalText(before.key) === canonicalText(after.key);
  const keyOf = (row: Row) => canonicalText(isSameKey ? after.key.map((column) => row[column] ?? null) : row);
  const byKey = (rows: readonly Row[]) => new Map(rows.map((row) => [keyOf(row), row]));
  const [was, is] = [byKey(rowsBefore), byKey(rowsAfter)];
  const shown = (row: Row) => {
    const columns = Object.entries({ ...after.columns, ...before.columns });
    return columns
      .flatMap(([column, type]) => {
        if (!Object.hasOwn(row, column)) return [];
        return `${code(column)} ${writtenInWords(fieldsOf(type).get('type'), row[column])}`;
      })
      .join(', ');
  };
  const kinds = new Map<string, string[]>();
  for (const key of new Set([...was.keys(), ...is.keys()])) {
    const [one, other] = [was.get(key), is.get(key)];
    const differing = Object.keys({ ...one, ...other }).filter((column) => !isSame(one?.[column], other?.[column]));
    if (differing.length === 0) continue;
    const kind =
      one === undefined ? 'are new' : other === undefined ? 'are gone' : `differ in ${listed(differing.map(code))}`;
    const line =
      one === undefined || other === undefined
        ? `  - **${one === undefined ? 'new' : 'gone'}**: ${shown(one ?? other ?? {})}`
        : `  - changed, from: ${shown(one)} — to: ${shown(other)}`;
    const alike = kinds.get(kind) ?? [];
    kinds.set(kind, alike);
    alike.push(line);
  }
  const rarestFirst = [...kinds].toSorted(([, one], [, other]) => one.length - other.length);
  const count = rarestFirst.reduce((sum, [, lines]) => sum + lines.length, 0);
  if (count === 0) return [];
  let left = MAX_ROW_CHANGES;
  const lines = rarestFirst.flatMap(([kind, all]) => {
    const some = all.slice(0, left);
    left -= some.length;
    const hidden = all.length - some.length;
    return hidden === 0 ? some : [...some, `  - **and ${plural(hidden, 'row')} not shown**, that ${kind}`];
  });
  return [`- in the table ${code(name)}, ${plural(count, 'row differs', 'rows differ')}:`, ...lines];
}

const tableOf = ({ tables }: PlanDocument, name: string) => (Object.hasOwn(tables, name) ? tables[name] : undefined);

/** The name of the table that one took the place of: its own, or that of one that is gone and has the same columns. */
function earlierName(name: string, before: PlanDocument, after: PlanDocument): string {
  if (tableOf(before, name) !== undefined) return name;
  const columns = (plan: PlanDocument, table: string) => tableOf(plan, table)?.columns;
  const gone = Object.keys(before.tables).filter((one) => tableOf(after, one) === undefined);
  return gone.find((one) => isSame(columns(before, one), columns(after, name))) ?? name;
}

/** What tools of another description, or another version of a tool, do otherwise. */
function toolChanges(old: PlanParts, now: PlanParts): readonly string[] {
  return now.document.tools.flatMap(({ name, version }) => {
    const earlier =
      old.document.tools.find((tool) => tool.name === name && tool.version === version) ??
      old.document.tools.find((tool) => tool.name === name);
    if (earlier === undefined) return [];
    const [was, is] = [toolLines(`${name}@${earlier.version}`, old), toolLines(`${name}@${version}`, now)];
    const [gone, added] = [was.filter((line) => !is.includes(line)), is.filter((line) => !was.includes(line))];
    const changes = [
      ...gone.map((line) => line.replace('- ', '- **no longer**: ')),
      ...added.map((line) => line.replace('- ', '- **new**: ')),
    ];
    return changes.length === 0 ? [] : [`- the tool ${code(name)} does something else:`, ...changes];
  });
}

/** Most cells of a table are the same text. */
const isSame = (one: unknown, other: unknown): boolean =>
  one === other || canonicalText(one ?? null) === canonicalText(other ?? null);

const toolsOf = ({ tools }: PlanDocument): Members<string> =>
  Object.fromEntries(
    tools.map((tool) => [`${tool.name}@${tool.version}`, 'sha256' in tool ? tool.sha256 : canonicalText(tool)]),
  );

const rulesOf = (rules: readonly { readonly id: string; readonly expr: unknown }[]): Members<unknown> =>
  Object.fromEntries(rules.map(({ id, expr }) => [id, expr]));

const sheetsOf = ({ sheets }: PlanDocument): Members<unknown> =>
  Object.fromEntries(sheets.map((use, index) => [`${use.name}@${use.version} ${use.scope} ${index + 1}`, use]));

function stepsLines(older: PlanParts, newer: PlanParts): readonly string[] {
  const byId = ({ steps }: PlanDocument): Members<StepDocument> =>
    Object.fromEntries(steps.map((step) => [step.step_id, step]));
  const [old, now] = [byId(older.document), byId(newer.document)];
  const briefly = ({ tool, min, max }: StepDocument) => `${timesInWords(min, max)}, by ${code(tool)}`;
  // A step with another name took the place of one that is gone and has the same tool.
  const gone = Object.values(old).filter(({ step_id }) => !Object.hasOwn(now, step_id));
  const changed = Object.entries(now).flatMap(([id, step]) => {
    const was =
      older.document.steps.find(({ step_id }) => step_id === id) ?? gone.find(({ tool }) => tool === step.tool);
    return was === undefined ? wholeStep(step, newer) : stepLines([was, older], [step, newer]);
  });
  const brief = (steps: Members<StepDocument>): Members<string> =>
    Object.fromEntries(Object.entries(steps).map(([id, step]) => [id, briefly(step)]));
  return [...membersLines('the step', brief(old), brief(now), (words) => words), ...changed];
}

type StepIn = readonly [step: StepDocument, parts: PlanParts];

function stepLines([was, older]: StepIn, [is, newer]: StepIn): readonly string[] {
  const [before, after] = [older.document, newer.document];
  const of = (what: string) => `${what} of ${code(is.step_id)},`;
  const words = (plan: PlanDocument) => (expr: unknown) => inWords(expr, plan);
  const orders = ({ after: steps }: StepDocument) => Object.fromEntries(steps.map((step) => [step.step, step]));
  const overlaps = ({ overlaps: steps = [] }: StepDocument) => Object.fromEntries(steps.map((step) => [step, step]));
  const kinds = ({ evidence }: StepDocument) => Object.fromEntries(evidence.map((kind) => [kind.kind, kind]));
  return [
    ...membersLines(of('the condition'), rulesOf(was.where), rulesOf(is.where), words(after), words(before)),
    ...membersLines(of('the order'), orders(was), orders(is), afterInWords),
    ...membersLines(of('the overlap'), overlaps(was), overlaps(is), (step) => overlapsInWords([step])),
    ...membersLines(of('the effect'), was.effects, is.effects, effectInWords(newer), effectInWords(older)),
    ...membersLines(of('the evidence'), kinds(was), kinds(is), evidenceInWords(after), evidenceInWords(before)),
  ];
}

/** Effects of one state, without the mark of a list. */
const effectInWords = (parts: PlanParts) => (effect: unknown, name: string) =>
  effectLines({ [name]: effect }, parts, 'by the plan')
    .map((line) => line.replace(/^ *- /, ''))
    .join(', ');

const evidenceInWords =
  (plan: PlanDocument) =>
  ({ media_types, max_bytes, min, max, reads, binds }: StepDocument['evidence'][number]): string => {
    const conditions = binds.map(({ expr }) => inWords(expr, plan));
    const checked = conditions.length === 0 ? 'unchecked' : `where ${conditions.join(', and where ')}`;
    const read = Object.keys(reads).length === 0 ? '' : `, ${readsInWords(reads)}`;
    return `${timesInWords(min, max)}, ${checked}${read}, ${listed(media_types.map(code), 'or')} of at most ${max_bytes} bytes`;
  };
