import { defined } from '../../exact/defined.ts';
import { DocumentError } from '../../exact/document-error.ts';
import { describeMicroseconds } from '../../exact/durations.ts';
import { formatInstant } from '../../exact/instants.ts';
import { formatNumber } from '../../exact/numbers.ts';
import { conjunctsOf } from '../../plan/claims.ts';
import { sortOf } from '../../plan/language/operands.ts';
import { isElementPresence, isPresence, spokenPart } from '../../plan/language/parts.ts';
import type { BoundPart, Comparison, Expression, Membership, Quantified, Unique } from '../../plan/language/terms.ts';
import type { Sort } from '../../plan/language/types.ts';
import type { Value } from '../../plan/language/values.ts';
import type { Table } from '../../plan/plan.ts';
import { bindTo, candidatesOf, elementsOf, mentions } from './candidates.ts';
import { countsIn } from './counts-in.ts';
import { elaborate } from './elaborate.ts';
import type { Element } from './element.ts';
import { asTruth, knownOutcome } from './kleene.ts';
import type { Scope } from './scope.ts';

/** Most comparisons that are named. */
const MAX_NAMED = 3;
const MAX_TEXT = 80;
/** What is shown before a difference. */
const CONTEXT = 20;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Why a rule is not true, by the values that it compares: `1300.00 <= 1200.00 is false`. Of many elements, the first one is
 * named for which it is not.
 * @returns undefined where no comparison of known values says it
 */
export function whyBroken(rule: Expression, scope: Scope): string | undefined {
  try {
    const causes = [...new Set(causesOf(rule, true, scope))].slice(0, MAX_NAMED);
    return causes.length === 0 ? undefined : causes.join(', and ');
  } catch (error) {
    // The rule is too large to look at it once more.
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}

/** The comparisons that give the expression another truth than the wanted one. */
function causesOf(expression: Expression, wanted: boolean, scope: Scope): readonly string[] {
  switch (expression.op) {
    case 'not':
      return causesOf(expression.arg, !wanted, scope);
    case 'and':
    case 'or': {
      const doAllDecide = (expression.op === 'and') !== wanted;
      const args = doAllDecide
        ? expression.args
        : expression.args.filter((arg) => truthOf(arg, scope) === !wanted).slice(0, 1);
      return args.flatMap((arg) => causesOf(arg, wanted, scope));
    }
    case 'ite': {
      const condition = truthOf(expression.condition, scope);
      if (condition === undefined) return [];
      return causesOf(condition ? expression.whenTrue : expression.whenFalse, wanted, scope);
    }
    case 'all':
    case 'any':
      if ((expression.op === 'any') === wanted) return causesOfNone(expression, wanted, scope);
      return causesOfElement(expression, wanted, scope);
    case 'unique':
      return wanted ? sameKeys(expression, scope) : [];
    case 'approved_by':
      return [
        wanted ? `no key of the group ${expression.group} approved` : `a key of the group ${expression.group} approved`,
      ];
    case 'part':
    case 'reference':
      if (truthOf(expression, scope) !== !wanted) return [];
      // What the element of a list is says more.
      if (expression.op === 'reference' && isElementPresence(expression.name)) return [];
      return [
        `${spokenPart(expression.name)} is ${isPresence(expression.name) ? (wanted ? 'missing' : 'there') : !wanted}`,
      ];
    case '=':
    case '<':
    case '<=':
      return named(comparisonText(expression, scope), wanted);
    case 'in':
      return named(membershipText(expression, scope), wanted);
    default:
      return [];
  }
}

const named = (text: string | undefined, wanted: boolean): readonly string[] =>
  text === undefined ? [] : [`${text} is ${!wanted}`];

const truthOf = (expression: Expression, scope: Scope): boolean | undefined => {
  const value = knownOutcome(asTruth(elaborate(expression, scope)));
  return typeof value === 'boolean' ? value : undefined;
};

/** That no element meets it, by the values that it must have; or that one is, and has not ended before. */
function causesOfNone(node: Quantified, wanted: boolean, scope: Scope): readonly string[] {
  const { range, binder, body } = node;
  if (!wanted || body === undefined) return [];
  const conjuncts = conjunctsOf(body);
  const others = conjuncts.filter(({ op }) => op !== 'precedes');
  for (const element of candidatesOf(node, scope, elaborate)) {
    const inside = bindTo(scope, binder, element);
    if (element.kind !== 'action' || others.length === conjuncts.length) continue;
    if (!others.every((each) => truthOf(each, inside) === true)) continue;
    if (knownOutcome(countsIn(node, element, inside, elaborate)) !== true) continue;
    return [`${idOf(element)} has not ended before`];
  }
  const having = others.flatMap((condition) => {
    const found = condition.op === '=' ? keyOf(condition, binder, scope) : undefined;
    return found === undefined ? [] : [found];
  });
  const what = range.kind === 'step' ? `action of ${range.name}` : `row of ${range.name}`;
  return [`no ${what}${having.length === 0 ? '' : ` with ${having.join(', ')}`} meets it`];
}

/** `invoice "A1"`, for an element whose part must equal a known value. */
function keyOf({ left, right }: Comparison<'=', Expression>, binder: string, scope: Scope): string | undefined {
  for (const [own, other] of [
    [left, right],
    [right, left],
  ] as const) {
    if (own.op !== 'part' || own.binder !== binder) continue;
    const value = mentions(other, binder) ? undefined : knownOutcome(elaborate(other, scope));
    if (value !== undefined) return textOfPart(own, value);
  }
  return undefined;
}

/** `invoice "A1"` */
const textOfPart = ({ name, part, type }: BoundPart, value: Value): string =>
  `${spokenPart(name) || part} ${textOf(value, sortOf(type))}`;

/** The first two elements that have all keys equal. */
function sameKeys(node: Unique, scope: Scope): readonly string[] {
  const seen = new Map<string, Element>();
  for (const element of elementsOf(node, scope)) {
    const inside = bindTo(scope, node.binder, element);
    if (knownOutcome(countsIn(node, element, inside, elaborate)) !== true) continue;
    const keys = node.keys.map((key) => {
      const value = key.op === 'part' ? knownOutcome(elaborate(key, inside)) : undefined;
      return key.op !== 'part' || value === undefined ? undefined : textOfPart(key, value);
    });
    if (keys.includes(undefined)) continue;
    const text = keys.join(', ');
    const first = seen.get(text);
    if (first !== undefined) return [`${idOf(first)} and ${idOf(element)} have the same ${text}`];
    seen.set(text, element);
  }
  return [];
}

/** Of `all`, the first element that breaks it; of `any` that must not be, the first one that is. */
function causesOfElement(node: Quantified, wanted: boolean, scope: Scope): readonly string[] {
  const { body, binder } = node;
  if (body === undefined) return [];
  for (const element of candidatesOf(node, scope, elaborate)) {
    const inside = bindTo(scope, binder, element);
    if (knownOutcome(countsIn(node, element, inside, elaborate)) === false) continue;
    if (truthOf(body, inside) !== !wanted) continue;
    return causesOf(body, wanted, inside).map((cause) => `${nameOf(element)}${cause}`);
  }
  return [];
}

const nameOf = (element: Element): string => `for ${idOf(element)}, `;

export function idOf(element: Element): string {
  if (element.kind === 'action') return element.name ?? `action ${element.position + 1} of the run`;
  const { table, row } = element;
  return `the row ${keyText(
    table,
    table.key.map((name) => defined(row[defined(table.positions.get(name))])),
  )}`;
}

function comparisonText(
  { left, right, written, op }: Comparison<'=' | '<' | '<=', Expression>,
  scope: Scope,
): string | undefined {
  if (written === undefined) return undefined;
  const { operator, sort } = written;
  const [one, other] = [left, right].map((operand) => knownOutcome(elaborate(operand, scope)));
  if (one === undefined || other === undefined) return undefined;
  const isTurned = op !== '=' && operator.startsWith('>');
  const [first, second] = isTurned ? [other, one] : [one, other];
  const from = differenceAt(first, second);
  return `${textOf(first, sort, from)} ${operator} ${textOf(second, sort, from)}`;
}

function membershipText({ keys, table }: Membership, scope: Scope): string | undefined {
  const values = keys.flatMap((key) => knownOutcome(elaborate(key, scope)) ?? []);
  const named = defined(scope.session.tables.get(table));
  return values.length < keys.length ? undefined : `${keyText(named, values)} in ${table}`;
}

function keyText({ key, columns }: Table, values: readonly Value[]): string {
  const texts = values.map((value, index) => textOf(value, sortOf(defined(columns.get(defined(key[index]))))));
  return texts.length === 1 ? texts.join() : `[${texts.join(', ')}]`;
}

/** Where long texts begin to differ, or shortly before. */
function differenceAt(one: Value, other: Value): number {
  if (typeof one !== 'string' || typeof other !== 'string' || one === other) return 0;
  const [first, second] = [[...one], [...other]];
  const found = first.findIndex((character, index) => character !== second[index]);
  const at = found === -1 ? first.length : found;
  return at < MAX_TEXT - CONTEXT ? 0 : at - CONTEXT;
}

function textOf(value: Value, { sort, ...more }: Sort, from = 0): string {
  if (typeof value === 'string') return quoted(value, from);
  if (typeof value === 'boolean') return String(value);
  if (sort === 'time') return formatInstant(value);
  if (sort === 'duration') return describeMicroseconds(value);
  return formatNumber({ numerator: value, scale: 'scale' in more ? more.scale : 0 });
}

/** A part of a text, in which every character can be seen. */
function quoted(text: string, from: number): string {
  const rest = [...text].slice(from);
  const shown = `${from > 0 ? '…' : ''}${rest.slice(0, MAX_TEXT).join('')}${rest.length > MAX_TEXT ? '…' : ''}`;
  return JSON.stringify(shown).replaceAll(UNSEEN, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`);
}
