import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { PlanDocument } from '../../workers/exact/plan-schema.ts';
import { compilePlan } from '../../workers/plan/text/compile-plan.ts';
import { hashPlan, withoutDetails } from '../../workers/plan/view/view-plan.ts';
import { checkPlan } from '../../workers/verdict/check/check-plan.ts';
import { DEFAULT_RLIMIT } from '../../workers/verdict/z3/z3.ts';
import { sharedZ3 } from './open-z3.ts';
import { textsOf, toolsIn } from './plan-texts.ts';
import { viewOf } from './view.ts';

/** The catalogue of the documented examples. */
export const EXAMPLE_TOOLS = readFileSync(
  new URL('../../docs/verified-execution/examples/tools.yaml', import.meta.url),
  'utf8',
);
/** Evidence of a step, as YAML: of the id that a tool answered, and of the amount as well. */
export const ID_EVIDENCE =
  'evidence: { r: { type: application/json, reads: { id: /id }, where: r.id == response.id } }';
export const AMOUNT_EVIDENCE =
  'evidence: { r: { type: application/json, reads: { id: /id, amount: /amount }, where: r.id == response.id && r.amount == args.amount } }';

const by = { solver: await sharedZ3(), rlimit: DEFAULT_RLIMIT };

export interface Looked {
  /** What is read before "Details". */
  readonly short: string;
  readonly view: string;
  readonly lint: readonly string[];
  readonly verdict: string;
  readonly plan: PlanDocument;
}

/** What `plan explain` shows of a text. */
export function look(
  text: string,
  catalogue: string,
  files: Readonly<Record<string, string>> = {},
  before?: string,
): Looked {
  const tools = toolsIn(catalogue);
  const named = new Map(Object.entries(files));
  const compile = (one: string) => {
    const { plan, faults } = compilePlan(one, { tools, sheets: [], tables: named });
    if (plan === undefined) throw new Error(JSON.stringify(faults));
    return plan;
  };
  const plan = compile(text);
  const tables = [...named.values()].map((each) => ({
    text: each,
    sha256: createHash('sha256').update(each).digest('hex'),
  }));
  const { lint, judgement } = lintOf(() => checkPlan(plan, by, { tools: textsOf(tools), tables }));
  const predecessor = before === undefined ? {} : { predecessor: compile(before) };
  const view = viewOf(plan, { hash: hashPlan(plan), tools, tables, sheets: [], lint, ...predecessor });
  return { short: withoutDetails(view), view, lint: lint.map(({ code }) => code), verdict: judgement.verdict, plan };
}

/** A table of more than 256 rows ends the solver (see tables.test.ts). The view can be looked at all the same. */
function lintOf(
  check: () => ReturnType<typeof checkPlan>,
): Pick<ReturnType<typeof checkPlan>, 'lint'> & { readonly judgement: { readonly verdict: string } } {
  try {
    return check();
  } catch {
    return { lint: [], judgement: { verdict: 'thrown' } };
  }
}
