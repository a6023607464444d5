import { askSolver } from '../../../../services/verification/offline/solver.ts';
import { hashPlan } from '../../../../services/verification/records/record-hashes.ts';
import { type Command, CommandError } from '../../terminal/command.ts';
import { type PlanInput, readPlanInput, toTask } from './plan-input.ts';

/** `plan lint`. Checks a plan as the service does, except for the operator's list of tools. */
export const lintPlan: Command = async ({ say }, options, file) => {
  const input = readPlanInput(file, options);
  const { judgement, findings } = await findingsOf(input);
  for (const { code, path, message } of findings) say(`warning  ${path}: ${message} (${code})`);
  if (judgement.verdict === 'vacuous') {
    throw new CommandError(`no run can obey the plan: ${judgement.core.join(', ')} contradict each other`);
  }
  say(`plan_hash ${hashPlan(input.document)}`);
  say(judgement.verdict === 'satisfied' ? 'some run obeys it' : `could not be decided: ${judgement.verdict}`);
};

/** What lint says about a plan. @throws {CommandError} if the plan is not valid */
export async function findingsOf(input: PlanInput) {
  const { fault, judgement, lint } = await askSolver<'propose'>({ kind: 'propose', ...toTask(input) });
  if (fault !== undefined) throw new CommandError(`${fault.path || '/'}: ${fault.message} (${fault.code})`);
  return { judgement, findings: lint };
}
