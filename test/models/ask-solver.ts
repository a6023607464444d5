import { canonicalText } from '../../workers/exact/canonical-json.ts';
import type { ToolDocument } from '../../workers/exact/tool-schema.ts';
import { compilePlan } from '../../workers/plan/text/compile-plan.ts';
import { answerTask } from '../../workers/verdict/answer.ts';
import type { SolverAnswers, SolverTask } from '../../workers/verdict/tasks.ts';
import { DEFAULT_RLIMIT } from '../../workers/verdict/z3/z3.ts';
import { sharedZ3 } from './open-z3.ts';

const z3 = await sharedZ3();

/** What the solver answers to a task, within the limits of the service. */
export const ask = <Task extends SolverTask>(task: Task) =>
  // The type of the engine does not relate each kind of task to its answer.
  answerTask(task, z3, DEFAULT_RLIMIT) as SolverAnswers[Task['kind']];

/** What a task says of the plan of a text without faults, over these tools. */
export function documentsOf(
  text: string,
  tools: readonly ToolDocument[],
  files: ReadonlyMap<string, string> = new Map(),
) {
  const { plan, faults } = compilePlan(text, { tools, sheets: [], tables: files });
  if (plan === undefined) throw new Error(JSON.stringify(faults));
  return { plan: canonicalText(plan), sheets: [], tools: tools.map(canonicalText) };
}
