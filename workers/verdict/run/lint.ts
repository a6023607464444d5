import { expressionsOf, referencesIn } from '../../plan/expressions.ts';
import type { Expression } from '../../plan/language/terms.ts';
import type { Plan, Step, Tool } from '../../plan/plan.ts';
import type { Fault } from './checked.ts';
import type { Judgement } from './judgement.ts';
import { isAlwaysRecorded, neverModelled } from './modelled.ts';

/** Parts of a plan that are valid but probably not intended: unused ones, and ones that weaken its proofs. */
export function lintParts(plan: Plan): readonly Fault[] {
  const used = new Set(expressionsOf(plan).flatMap(namesIn));
  const tools = [...plan.tools.values()];
  const isChanged = (name: string) => tools.some(({ effects }) => effects.has(name));
  const unused = (names: Iterable<string>, path: string, isUsed: (name: string) => boolean) =>
    [...names]
      .filter((name) => !isUsed(name))
      .map((name): Fault => ({ code: 'UNUSED', path: `${path}/${name}`, message: 'nothing in the plan uses it' }));
  const isDone = (tool: Tool) => plan.steps.some((step) => step.tool === tool);
  return [
    ...unused(plan.variables.keys(), '/variables', (name) => used.has(`var ${name}`)),
    ...unused(
      plan.state.keys(),
      '/state',
      (name) => isChanged(name) || used.has(`state ${name}`) || used.has(`final ${name}`),
    ),
    ...tools.flatMap((tool, index): Fault[] =>
      isDone(tool) ? [] : [{ code: 'UNUSED', path: `/tools/${index}`, message: 'no step uses it' }],
    ),
    ...tools.flatMap((tool, index) => lintModel(plan, tool, `/tools/${index}`)),
    ...lintRecorded(plan),
    ...plan.steps.flatMap((step, index) => lintEvidence(step, `/steps/${index}/evidence`)),
  ];
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

function lintModel(plan: Plan, tool: Tool, path: string): readonly Fault[] {
  const reason = neverModelled(tool, plan);
  return reason === undefined ? [] : [{ ...NEVER_MODELLED[reason], path: `${path}/observe` }];
}

/** A run is proven only if it has no more recorded actions than the plan allows. */
function lintRecorded(plan: Plan): readonly Fault[] {
  const recorded = plan.steps.filter(({ tool }) => isAlwaysRecorded(tool, plan));
  const least = recorded.reduce((sum, { min }) => sum + min, 0);
  const [optional] = recorded;
  const path = '/max_recorded';
  if (least > plan.maxRecorded) {
    const message = `every run has at least ${least} recorded actions, so no run can be proven unless the plan allows ${least}`;
    return [{ code: 'TOO_MANY_RECORDED', path, message }];
  }
  if (optional === undefined || plan.maxRecorded > 0) return [];
  const message = `the results of ${optional.stepId} are only reported, so no run with it can be proven unless the plan allows recorded actions`;
  return [{ code: 'TOO_MANY_RECORDED', path, message }];
}

/** An act that moves money needs evidence that identifies this act. Evidence of a similar act is not enough. */
function lintEvidence({ tool, evidence }: Step, path: string): readonly Fault[] {
  const { effect, identity } = tool;
  if (effect !== 'revenue_write' || identity === undefined) return [];
  return evidence.flatMap(({ binds }, index): Fault[] => {
    if (binds.some(({ expression }) => bindsIdentity(expression, identity))) return [];
    const message = `no rule says that the evidence equals the identity of the act, ["resp","${identity}"]`;
    return [{ code: 'EVIDENCE_NOT_BOUND', path: `${path}/${index}/binds`, message }];
  });
}

/** Whether a rule can only hold if a field of the evidence equals the identity. */
function bindsIdentity(rule: Expression, identity: string): boolean {
  if (rule.op === 'and') return rule.args.some((arg) => bindsIdentity(arg, identity));
  if (rule.op !== '=') return false;
  const sides = [rule.left, rule.right];
  const isField = (side: Expression) => side.op === 'reference' && side.scope === 'ev';
  const isIdentity = (side: Expression) => side.op === 'reference' && side.scope === 'resp' && side.name === identity;
  return sides.some(isField) && sides.some(isIdentity);
}

/** A remark if it could not be decided whether the rules can be obeyed. */
export function lintVerdict({ verdict, reasons }: Judgement): readonly Fault[] {
  if (verdict !== 'indeterminate' && verdict !== 'engine_error') return [];
  const why = reasons.map(({ message }) => message).join(', ');
  return [{ code: 'NOT_DECIDED', path: '', message: `whether the rules can be obeyed could not be decided: ${why}` }];
}

const namesIn = (expression: Expression): readonly string[] =>
  referencesIn(expression).map(({ scope, name }) => `${scope} ${name}`);
