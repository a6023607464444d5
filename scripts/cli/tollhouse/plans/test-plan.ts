import { existsSync } from 'node:fs';
import { type OfflineSolver, openSolver } from '../../../../services/verification/offline/solver.ts';
import { hashIntents } from '../../../../services/verification/records/record-hashes.ts';
import { valueAt } from '../../../../workers/exact/json-pointer.ts';
import type { PlanDocument } from '../../../../workers/exact/plan-schema.ts';
import { compileRuns, type ExpectedRun } from '../../../../workers/plan/text/runs/compile-runs.ts';
import { type Command, CommandError, type Options } from '../../terminal/command.ts';
import { faultError, type PlanInput, readText, readWholePlan, toTask } from './plan-input.ts';

type Input = PlanInput & { readonly plan: PlanDocument };

/** `plan test`. Verifies the runs beside a plan, as the service would. Each must get the verdict that its author expects. */
export const testPlan: Command = async ({ say }, options, file) => {
  const input = readWholePlan(file, options);
  const runsFile = runsFileOf(file, options);
  const { runs, faults } = compileRuns(readText(runsFile), input.plan, input.tools);
  if (runs === undefined) throw faultError(runsFile, faults);
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

/** The file with the runs of a plan. @throws {CommandError} if there is none */
export function runsFileOf(file: string, { runs }: Options): string {
  const runsFile = runs ?? file.replace(/\.(?:ya?ml|json)$/, '.runs.yaml');
  if (existsSync(runsFile)) return runsFile;
  const help = 'docs/verified-execution/plan-text.md#runs says how to write it';
  throw new CommandError(
    `${runsFile}: there is no such file, with the runs of the plan. ${help}; --runs names another`,
    2,
  );
}

export interface Found {
  readonly verdict: string;
  /** JSON pointers, ids and messages of all reasons. */
  readonly reasons: readonly { readonly path: string; readonly message: string }[];
}

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
  const reasons = judgements.flatMap(({ verdict, reasons: all, core }) => {
    return verdict === 'satisfied' ? [] : [...all, ...core.map((path) => ({ path, message: 'is broken' }))];
  });
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
  return actions.flatMap(({ tool, tool_version, response }, index) => {
    const described = describedTool(input, tool, tool_version);
    if (described?.effect !== 'revenue_write' || described.identity === null) return [];
    const { at } = Object(described.responds[described.identity]);
    const identity = valueAt(response, String(at));
    const key = `${tool} ${String(identity)}`;
    const first = seen.get(key);
    if (identity === undefined || first === undefined) {
      if (identity !== undefined) seen.set(key, index);
      return [];
    }
    const message = `is the identity of action ${first + 1} of the run too`;
    return [{ path: `/actions/${index}/response/${described.identity}`, message }];
  });
}

/** The description of a tool, in the catalogue or in the plan. */
export const describedTool = ({ tools, plan }: Input, name: string, version: string) =>
  [...tools, ...plan.tools.flatMap((tool) => ('sha256' in tool ? [] : [tool]))].find(
    (tool) => tool.name === name && tool.version === version,
  );

/** What is wrong with a verdict. Undefined if it is the expected one. */
export function problemOf({ must, because }: ExpectedRun, { verdict, reasons }: Found): string | undefined {
  const all = reasons.map(({ path, message }) => `${path} ${message}`).join('; ');
  if (verdict !== must) return `it is ${verdict}, and must be ${must}${all === '' ? '' : `: ${all}`}`;
  if (because === undefined || reasons.some(({ path }) => path.split('/').includes(because))) return undefined;
  return `it is ${verdict}, but not because of ${because}: ${all}`;
}
