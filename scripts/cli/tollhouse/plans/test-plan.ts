import { type OfflineSolver, openSolver } from '../../../../services/verification/offline/solver.ts';
import { hashIntents } from '../../../../services/verification/records/record-hashes.ts';
import type { ExpectedRun } from '../../../../workers/plan/text/runs/compile-runs.ts';
import { type Command, CommandError } from '../../terminal/command.ts';
import { type Found, type Input, identityOf, problemOf, readExpectedRuns, reasonsOf } from './expected-runs.ts';
import { toTask } from './plan-input.ts';

/** `plan test`. Verifies the runs beside a plan, as the service would. Each must get the verdict that its author expects. */
export const testPlan: Command = async ({ say }, options, file) => {
  const { input, runs } = readExpectedRuns(file, options);
  const solver = await openSolver();
  try {
    let failed = 0;
    for (const run of runs) {
      const found = await verifyRun(input, run, solver);
      const problem = problemOf(run, found);
      say(problem === undefined ? `ok       ${run.name}: ${found.verdict}` : `FAILED   ${run.name}: ${problem}`);
      if (problem !== undefined) failed += 1;
    }
    if (failed > 0) throw new CommandError(`${failed} of ${runs.length} runs have another verdict than they must have`);
    say(`${runs.length} runs, as expected`);
  } finally {
    await solver.close();
  }
};

async function verifyRun(input: Input, run: ExpectedRun, solver: OfflineSolver): Promise<Found> {
  const intents = hashIntents(run.actions.map((action) => ({ ...action, args: { ...action.args } })));
  const times = [...run.approvals.map(({ at }) => at), ...run.actions.map(({ ended_at }) => ended_at)].toSorted();
  const approvedAt = run.approvals.map(({ at }) => at).toSorted()[input.plan.approvals - 1];
  const lacking = { path: '/approvals', message: `the plan needs ${input.plan.approvals} approvals` };
  if (approvedAt === undefined) return { verdict: 'violated', reasons: [lacking] };
  const { verdicts } = await solver.ask<'verify'>({
    kind: 'verify',
    ...toTask(input),
    actions: JSON.stringify(run.actions),
    artifacts: run.artifacts.map(({ document, ...artifact }) => ({ ...artifact, json: JSON.stringify(document) })),
    runContext: {
      approvedAt,
      approvals: run.approvals,
      receivedAt: times.at(-1) ?? approvedAt,
      proposedIntents: intents,
      recordedIntents: intents,
    },
  });
  const judgements = Object.values(verdicts);
  const reasons = reasonsOf(judgements);
  const repeated = repeatedIdentities(input, run);
  const failed = judgements.map(({ verdict }) => verdict).filter((verdict) => verdict !== 'satisfied');
  if (failed.includes('engine_error')) return { verdict: 'engine_error', reasons };
  // A service keeps a run with malformed arguments, and refutes it.
  const isViolated = repeated.length > 0 || failed.some((each) => each === 'violated' || each === 'invalid_input');
  return { verdict: isViolated ? 'violated' : (failed[0] ?? 'satisfied'), reasons: [...reasons, ...repeated] };
}

/** Acts that move money are recorded once: two of a run with one identity refute it, as a service says (`IDENTITY_REUSED`). */
function repeatedIdentities(input: Input, { actions }: ExpectedRun): Found['reasons'] {
  const seen = new Map<string, number>();
  return actions.flatMap((action, index) => {
    const { effect, field, value } = identityOf(input, action) ?? {};
    if (effect !== 'revenue_write' || value === undefined) return [];
    const key = `${action.tool} ${String(value)}`;
    const first = seen.get(key);
    if (first === undefined) {
      seen.set(key, index);
      return [];
    }
    const message = `is the identity of action ${first + 1} of the run too`;
    return [{ path: `/actions/${index}/response/${field}`, message }];
  });
}
