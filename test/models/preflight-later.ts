import { formatInstant, parseInstant } from '../../workers/exact/instants.ts';
import { readPlan } from '../../workers/plan/read/read-plan.ts';
import { preflight } from '../../workers/verdict/check/check-actions.ts';
import { judgeWithin } from '../../workers/verdict/check/judge-start.ts';
import type { BoundedSolver } from '../../workers/verdict/decide/smt-solver.ts';
import type { Preflight } from '../../workers/verdict/run/checked.ts';
import { readActions, readIntents } from '../../workers/verdict/run/read-actions.ts';

type NextAction = Parameters<typeof preflight>[0] & { readonly now: string };

const SECOND = 1_000_000n;

/**
 * Asks for a preflight. If it names a time, the action passes then, and at no time that is more than a second earlier.
 * @throws {Error} it does not, or it does
 */
export function preflightLater(task: NextAction, by: BoundedSolver): Preflight {
  const answer = preflight(task, by);
  const { passesFrom } = answer;
  if (typeof passesFrom !== 'string') return answer;
  const then = preflight({ ...task, now: passesFrom }, by);
  if (!passes(then) || then.passesFrom !== undefined) throw new Error(`it does not pass at ${passesFrom}`);
  const until = formatInstant(parseInstant(passesFrom, '/start') - SECOND - 1n);
  if (until > task.now && passes(within(task, until, by))) throw new Error(`it passes before ${passesFrom}`);
  return answer;
}

function within({ done, action, now, ...documents }: NextAction, until: string, by: BoundedSolver) {
  const { plan: document, sheets = [], tools = [], tables = [], runContext } = documents;
  const plan = readPlan(document, sheets, { tools, tables });
  const before = readActions(done, plan);
  const actions = [...before, ...readIntents([action], plan, before.length)];
  return judgeWithin({ plan, actions, runContext: { ...runContext, start: { at: now, until } } }, now, by);
}

const passes = ({ alignment, constraints }: Pick<Preflight, 'alignment' | 'constraints'>): boolean =>
  alignment.verdict === 'satisfied' && constraints.verdict === 'satisfied';
