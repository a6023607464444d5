import { isDeepStrictEqual } from 'node:util';
import { conjunctsOf } from '../claims.ts';
import { expressionsOf, rulesOfOutcomes, rulesOfRuns } from '../expressions.ts';
import type { Finding } from '../finding.ts';
import type { Expression, ScopeWord } from '../language/terms.ts';
import { walkExpressions } from '../language/walk.ts';
import { isAlwaysRecorded, neverModelled } from '../never-modelled.ts';
import type { Plan, Step, Tool } from '../plan.ts';
import { equatesEvidence } from './equates-evidence.ts';

/** Parts of a plan that are valid but probably not intended: unused ones, ones that weaken its proofs, and slips in rules. */
export function findOversights(plan: Plan): readonly Finding[] {
  const tools = [...plan.tools.values()];
  return [
    ...unusedParts(plan),
    ...tools.flatMap((tool, index) => unlikeModel(tool, `/tools/${index}/observe`, plan)),
    ...tooManyRecorded(plan),
    ...plan.steps.flatMap((step, index) => unboundEvidence(step, `/steps/${index}/evidence`)),
    ...selfComparisons(plan),
    ...extremesOfNothing(plan),
    ...agentsWord(plan),
    ...orderByTimes(plan),
    ...oneRun(plan),
  ];
}

/** Rules over the runs of a plan that has one. */
const oneRun = ({ runs, maxExecutions }: Plan): readonly Finding[] =>
  maxExecutions > 1
    ? []
    : runs.map(({ id }, index) => ({
        code: 'RUNS_OF_ONE',
        path: `/runs/${index}`,
        message: `${id} is over all runs, and the plan allows one: it can be among the rules`,
      }));

/** Rules that read outcomes, which nobody but the agent says. */
function agentsWord(plan: Plan): readonly Finding[] {
  return rulesOfOutcomes(plan).map(({ path }) => ({
    code: 'OUTCOME_DECIDES',
    path,
    message: 'reads outcomes: whether an act counts for it is the word of the agent',
  }));
}

function unusedParts(plan: Plan): readonly Finding[] {
  const used = usedPaths(plan);
  const toolPath = (tool: Tool) => `/tools/${[...plan.tools.values()].indexOf(tool)}`;
  for (const { tool } of plan.steps) used.add(toolPath(tool));
  const named = (names: ReadonlyMap<string, unknown>, path: string) => [...names.keys()].map((name) => path + name);
  const unused = (paths: readonly string[], message: string) =>
    paths.filter((path) => !used.has(path)).map((path): Finding => ({ code: 'UNUSED', path, message }));
  const parts = [
    ...named(plan.variables, '/variables/'),
    ...named(plan.state, '/state/'),
    ...named(plan.tables, '/tables/'),
    ...named(plan.maps, '/state/'),
  ];
  const nothing = unused(parts, 'nothing in the plan uses it');
  return [...nothing, ...unused([...plan.tools.values()].map(toolPath), 'no step uses it')];
}

const STATES: ReadonlySet<ScopeWord> = new Set<ScopeWord>(['state', 'final']);

/** JSON pointers of what expressions read and what actions change. */
function usedPaths(plan: Plan): Set<string> {
  const used = new Set<string>();
  walkExpressions(expressionsOf(plan), (node) => {
    if (node.op === 'reference' && node.scope === 'var') used.add(`/variables/${node.name}`);
    if (node.op === 'reference' && STATES.has(node.scope)) used.add(`/state/${node.name}`);
    if (node.op === 'at') used.add(`/state/${node.map}`);
    if (node.op === 'in' || node.op === 'look') used.add(`/tables/${node.table}`);
    if ('range' in node && node.range.kind === 'table') used.add(`/tables/${node.range.name}`);
  });
  for (const { effects } of plan.tools.values()) for (const name of effects.keys()) used.add(`/state/${name}`);
  for (const { mapEffects } of [...plan.steps, ...plan.tools.values()])
    for (const name of mapEffects.keys()) used.add(`/state/${name}`);
  return used;
}

const NEVER_MODELLED = {
  repeats_response: {
    code: 'MODEL_REPEATS_RESPONSE',
    message: 'the observed values only repeat the response, so actions of this tool count as recorded',
  },
  says_nothing: {
    code: 'MODEL_SAYS_NOTHING',
    message: 'no observed value is computed from what an action does, so actions of this tool count as recorded',
  },
} as const;

function unlikeModel(tool: Tool, path: string, plan: Plan): readonly Finding[] {
  const reason = neverModelled(tool, plan);
  return reason === undefined ? [] : [{ ...NEVER_MODELLED[reason], path }];
}

/** A run is proven only if it has no more recorded actions than the plan allows. */
function tooManyRecorded(plan: Plan): readonly Finding[] {
  const recorded = plan.steps.filter(({ tool }) => isAlwaysRecorded(tool, plan));
  const minRecorded = recorded.reduce((sum, { min }) => sum + min, 0);
  const [optional] = recorded;
  const path = '/max_recorded';
  if (minRecorded > plan.maxRecorded) {
    const message = `every run has at least ${minRecorded} recorded actions, so no run can be proven unless the plan allows ${minRecorded}`;
    return [{ code: 'TOO_MANY_RECORDED', path, message }];
  }
  if (optional === undefined || plan.maxRecorded > 0) return [];
  const message = `the results of ${optional.stepId} are only reported, so no run with it can be proven unless the plan allows recorded actions`;
  return [{ code: 'TOO_MANY_RECORDED', path, message }];
}

/** An act that moves money needs evidence that identifies this act. Evidence of a similar act is not enough. */
function unboundEvidence({ tool: { effect, identity }, evidence }: Step, path: string): readonly Finding[] {
  if (effect !== 'revenue_write' || identity === undefined) return [];
  const isIdentity = ({ scope, name }: { readonly scope: string; readonly name: string }) =>
    scope === 'resp' && name === identity;
  return evidence.flatMap(({ binds }, index): readonly Finding[] => {
    const rules = binds.flatMap(({ expression }) => conjunctsOf(expression));
    if (rules.some((rule) => equatesEvidence(rule, isIdentity))) return [];
    const message = `no rule says that the evidence equals the identity of the act, ["resp","${identity}"]`;
    return [{ code: 'EVIDENCE_NOT_BOUND', path: `${path}/${index}/binds`, message }];
  });
}

/** Comparisons of a value with itself: probably another value was meant. */
function selfComparisons(plan: Plan): readonly Finding[] {
  const rules = [
    ...rulesOfRuns(plan),
    ...plan.steps.flatMap(({ where, evidence }, step) => [
      ...where.map(({ expression }, index) => ({ path: `/steps/${step}/where/${index}`, expression })),
      ...evidence.flatMap(({ binds }, kind) =>
        binds.map(({ expression }, index) => ({ path: `/steps/${step}/evidence/${kind}/binds/${index}`, expression })),
      ),
    ]),
  ];
  return rules.flatMap(({ path, expression }) => {
    let found = false;
    walkExpressions([expression], (node) => {
      if ((node.op === '=' || node.op === '<=' || node.op === '<') && node.left.op !== 'literal')
        found ||= isDeepStrictEqual(node.left, node.right);
    });
    return found ? [{ code: 'COMPARES_ITSELF', path, message: 'compares a value with itself' }] : [];
  });
}

/** Rules that order actions by the times that they report. Preflight decides an order by the list, and such a rule seldom. */
function orderByTimes(plan: Plan): readonly Finding[] {
  return rulesOfRuns(plan).flatMap(({ expression, path }) => {
    const found = new Set<string>();
    walkExpressions([expression], (node) => {
      if (node.op !== '<=' && node.op !== '<') return;
      const { left, right } = node;
      if (left.op !== 'part' || right.op !== 'part' || left.binder === right.binder) return;
      if (right.part === 'started' && left.part === 'ended') found.add(`before(${left.binder}, ${right.binder})`);
    });
    const said = (instead: string) => `orders actions by the times that they report: write ${instead}`;
    return [...found].map((instead) => ({ code: 'ORDER_BY_TIMES', path, message: said(instead) }));
  });
}

const COMPARISONS: ReadonlySet<Expression['op']> = new Set(['=', '<', '<=', 'not']);

/** Rules that need an action of a step that need not be done: nothing has no least or greatest value. */
function extremesOfNothing(plan: Plan): readonly Finding[] {
  const optional = new Set(plan.steps.flatMap(({ stepId, min }) => (min === 0 ? [stepId] : [])));
  return rulesOfRuns(plan).flatMap(({ expression, path }) => {
    let found: string | undefined;
    walkExpressions([expression], (node) => {
      const isExtreme = node.op === 'least' || node.op === 'greatest';
      if (isExtreme && node.range.kind === 'step' && optional.has(node.range.name)) found ??= node.range.name;
    });
    // What an alternative or a condition decides may be another part of the rule.
    if (found === undefined || !COMPARISONS.has(expression.op)) return [];
    const message = `a run without an action of ${found} breaks it: there is no least or greatest of no values`;
    return [{ code: 'MAY_HAVE_NO_VALUE', path, message }];
  });
}
