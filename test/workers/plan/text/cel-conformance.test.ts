import { tests } from '@bufbuild/cel-spec/testdata/conformance.js';
import type { SerializedIncrementalTest, SerializedIncrementalTestSuite } from '@bufbuild/cel-spec/testdata/tests.js';
import test from 'ava';
import { compilePlan } from '../../../../workers/plan/text/compile-plan.ts';
import { checkRun } from '../../../../workers/verdict/check/check-actions.ts';
import { DEFAULT_RLIMIT } from '../../../../workers/verdict/z3/z3.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';
import { TOOLS, textsOf } from '../../../models/plan-texts.ts';

/** The conformance data of CEL (cel-spec v0.25.1), as the package of the parser has it. */
interface Case {
  readonly path: string;
  readonly original: SerializedIncrementalTest['original'];
}

const casesOf = (suite: SerializedIncrementalTestSuite, path: string): readonly Case[] => [
  ...(suite.tests ?? []).map(({ original }) => ({ path: `${path}/${original.name ?? original.expr}`, original })),
  ...(suite.suites ?? []).flatMap((inner) => casesOf(inner, `${path}/${inner.name}`)),
];

const CASES = casesOf(tests, '');

/** A value as plans write it. Undefined for values that plans do not have. */
function writtenOf(value: unknown): string | undefined {
  const [[kind, wanted] = []] = Object.entries(Object(value));
  if (kind === 'stringValue') return JSON.stringify(wanted);
  return kind === 'boolValue' || kind === 'int64Value' || kind === 'doubleValue' ? String(wanted) : undefined;
}

/** A rule that is true if the expression has the value that CEL gives it. Undefined for values that plans do not have. */
function ruleOf({ expr, value, evalError }: Case['original']): string | undefined {
  if (evalError !== undefined || value === undefined) return expr;
  const written = writtenOf(value);
  if (written === 'true') return expr;
  return written === 'false' ? `!(${expr}\n)` : written && `(${expr}\n) == ${written}`;
}

/** Bound values as given values of a plan. Undefined if one is of a kind that plans do not have. */
function givenOf({ bindings = {} }: Case['original']): string | undefined {
  const given = Object.entries(Object(bindings)).map(([name, bound]) => [name, writtenOf(Object(bound).value)]);
  if (given.some(([, written]) => written === undefined)) return undefined;
  return `{ ${given.map(([name, written]) => `${name}: ${written}`).join(', ')} }`;
}

const by = { solver: await sharedZ3(), rlimit: DEFAULT_RLIMIT };

/** What becomes of an expression: refused with a fault, or the verdict about its rule. */
function outcomeOf(rule: string, given: string): string {
  const text = `plan: x\nexpires: 2026-12-05T00:00:00Z\ngiven: ${given}\nsteps: { mail: { tool: mail.send@1, times: 0..1 } }\nrules: { r: ${JSON.stringify(rule)} }\n`;
  const { plan, faults } = compilePlan(text, { tools: TOOLS, tables: new Map() });
  if (plan === undefined)
    return faults.every(({ message, line }) => message.length > 10 && line > 0) ? 'refused' : 'unclear';
  const { judgement } = checkRun(
    { plan, sheets: [], tools: textsOf(TOOLS), actions: [] },
    { check: 'constraints', solver: by },
  );
  return judgement.verdict;
}

/** CEL fails where its integers overflow or where a double and an integer meet. Numbers of plans are exact and of one kind. */
const EXACT_INSTEAD_OF_ERROR = /overflow|no_such_overload|no matching overload|range/i;

test('every expression of the conformance data is evaluated as CEL does, or refused with a message', (t) => {
  const counts: Record<string, number> = {};
  const wrong: string[] = [];
  for (const { path, original } of CASES) {
    const [rule, given] = [ruleOf(original), givenOf(original)];
    // A value or a binding of another kind: the expression itself is still compiled, and must be refused or be a condition.
    const outcome = outcomeOf(rule ?? original.expr, given ?? '{}');
    counts[outcome] = (counts[outcome] ?? 0) + 1;
    if (outcome === 'refused') continue;
    const isError = original['evalError'] !== undefined;
    const isExact = isError && EXACT_INSTEAD_OF_ERROR.test(JSON.stringify(original['evalError']));
    if (outcome !== 'satisfied' && !isExact) wrong.push(`${path}: ${original.expr} is ${outcome}`);
    else if (isError && !isExact) wrong.push(`${path}: ${original.expr} is ${outcome}, and CEL fails`);
  }
  t.true((counts['satisfied'] ?? 0) > 200, JSON.stringify(counts));
  t.deepEqual(wrong, []);
});
