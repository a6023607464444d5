import { rulesOfOutcomes, usesTimes } from '../../expressions.ts';
import type { Plan, Step } from '../../plan.ts';
import { code, listed } from '../words/escape.ts';

/** What a proof of this plan does not establish. */
export function uncheckedLines(plan: Plan): readonly string[] {
  const { steps } = plan;
  const recorded = steps.filter(({ tool }) => tool.replay === 'recorded');
  const computed = steps.filter(({ tool }) => tool.replay === 'effects');
  const ghosts = steps.flatMap((step) =>
    (step.tool.replay === 'recorded' ? [step, step.tool] : [step]).flatMap(changedBy),
  );
  const silent = steps.filter(({ tool, evidence }) => tool.effect !== 'none' && !evidence.some(({ min }) => min > 0));
  const line = (names: readonly string[], words: string) =>
    names.length === 0 ? [] : [`- ${listed([...new Set(names)].map(code))}: ${words}`];
  const idsOf = (some: readonly Step[]) => some.map(({ stepId }) => stepId);
  return [
    ...line(idsOf(recorded), `responses are believed as the agent reports them. ${believed(plan)}`),
    ...(recorded.length > 0 || plan.maxRecorded === 0
      ? []
      : line(
          idsOf(computed),
          `what no computed state confirms is believed as the agent reports it. ${believed(plan)}`,
        )),
    ...line(ghosts, 'these states follow what is reported. No tool confirms them.'),
    ...line(idsOf(silent), 'nobody but the agent says that it was done.'),
    plan.mustBeDone
      ? '- A run with an act that failed, or whose outcome is unknown, gets no proof.'
      : '- An act that failed, or whose outcome is unknown, is reported without a response. It counts towards every maximum, and towards no minimum.',
    ...line(
      rulesOfOutcomes(plan).map(({ id }) => id),
      'the rule reads outcomes. Whether an act counts for it is the word of the agent.',
    ),
    ...(usesTimes(plan)
      ? ['- Times of actions are reported by the agent. They can refute a run, and excuse nothing.']
      : []),
    plan.runs.length === 0
      ? '- Rules hold within one run. Other runs and other plans may do the same again, within the limits of the operator.'
      : '- Rules hold within one run, and those over all runs within this plan. Other plans may do the same again, within the limits of the operator.',
    '- Evidence is submitted by the agent. Only what is compared above is checked in it.',
  ];
}

const changedBy = ({ effects, mapEffects }: Pick<Step, 'effects' | 'mapEffects'>): readonly string[] => [
  ...effects.keys(),
  ...mapEffects.keys(),
];

const believed = ({ maxRecorded }: Plan): string =>
  maxRecorded === 0
    ? 'A run with such an action gets no proof.'
    : `A proof allows at most ${maxRecorded} such actions.`;
