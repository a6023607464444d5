import type { PlanDocument } from '../../exact/plan-schema.ts';
import { code, listed } from '../markdown/escape.ts';
import { operatorOf, walk } from '../parts/expression.ts';
import { computedParts, fieldsOf, type PlanParts } from '../parts/plan-parts.ts';

/** What a proof of this plan does not establish. */
export function uncheckedLines(parts: PlanParts): readonly string[] {
  const { plan, tools } = parts;
  const effectOf = (tool: string) => fieldsOf(tools.get(tool)).get('effect');
  const recorded = plan.steps.filter(({ tool }) => fieldsOf(tools.get(tool)).get('replay') === 'recorded');
  const ghosts = plan.steps.flatMap((step) => {
    const tool = tools.get(step.tool);
    const believed = tool?.replay === 'recorded' ? Object.keys(tool.effects) : [];
    return [...Object.keys(step.effects), ...believed];
  });
  const silent = plan.steps.filter(
    ({ tool, evidence }) => effectOf(tool) !== 'none' && !evidence.some(({ min }) => min > 0),
  );
  const line = (names: readonly string[], words: string) =>
    names.length === 0 ? [] : [`- ${listed([...new Set(names)])}: ${words}`];
  const idsOf = (steps: readonly { readonly step_id: string }[]) => steps.map(({ step_id }) => code(step_id));
  return [
    ...line(idsOf(recorded), `responses are believed as the agent reports them. ${believed(plan)}`),
    ...line(ghosts.map(code), 'these states follow what is reported. No tool confirms them.'),
    ...line(idsOf(silent), 'nobody but the agent says that it was done.'),
    ...(usesTimes(parts)
      ? ['- Times of actions are reported by the agent. They can refute a run, and excuse nothing.']
      : []),
    '- Rules hold within one run. Other runs and other plans may do the same again, within the limits of the operator.',
    '- Evidence is submitted by the agent. Only what is compared above is checked in it.',
  ];
}

const believed = ({ max_recorded }: PlanDocument): string =>
  max_recorded === 0
    ? 'A run with such an action gets no proof.'
    : `A proof allows at most ${max_recorded} such actions.`;

function usesTimes(parts: PlanParts): boolean {
  let uses = false;
  walk(computedParts(parts), (part) => {
    const operator = operatorOf(part);
    if (operator === 'started' || operator === 'ended') uses = true;
  });
  return uses;
}
