import test from 'ava';
import { type Caller, Role } from '../../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { readWholePlan } from '../../../../scripts/cli/tollhouse/plans/plan-input.ts';
import { ensureSandboxTools } from '../../../../scripts/launch/sandbox-tools.ts';
import { openSolver } from '../../../../services/verification/offline/solver.ts';
import { verifyProof } from '../../../../services/verification/offline/verify-proof.ts';
import { issueKey } from '../../../../services/verification/tenants/keys.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { compileRuns, type ExpectedRun } from '../../../../workers/plan/text/runs/compile-runs.ts';
import type { WithTools } from '../../../models/catalogued.ts';
import { EXAMPLE_NAMES, examplePath, readExample } from '../../../models/plan-texts.ts';
import { createCatalogueSteps } from '../catalogue/catalogue-steps.ts';
import { startVerificationProcess, type VerificationProcess } from '../verification-process.ts';
import { createPlanSteps } from './plan-steps.ts';

const TOOLS = examplePath('tools.yaml');

let verification: VerificationProcess;

/** Declares hooks that start a service with the tools of the examples, as in a sandbox. @returns that service */
export function useExampleService(): () => VerificationProcess {
  let solver: Awaited<ReturnType<typeof openSolver>> | undefined;
  test.before(async () => {
    verification = await startVerificationProcess();
    await ensureSandboxTools(verification.databaseUrl(), TOOLS);
    // The catalogue has tools now, so nothing is imported again.
    await ensureSandboxTools(verification.databaseUrl(), '/nowhere.yaml');
    // While it is open, all proofs are verified with it.
    solver = await openSolver();
  });
  test.after.always(async () => {
    await solver?.close();
    await verification?.stop();
  });
  return () => verification;
}

/** Uploads the tables of an example. @returns their hashes by the names of their files */
export async function uploadTables(agent: Caller, example: string): Promise<Readonly<Record<string, string>>> {
  const { upload } = createCatalogueSteps(verification.service);
  const tables: Record<string, string> = {};
  for (const [, name] of readExample(`${example}.yaml`).matchAll(/file: ([a-z-]+\.jsonl)/g)) {
    const file = defined(name);
    tables[file] = (await upload(agent, readExample(file))).sha256;
  }
  return tables;
}

/** Declares a test of each chosen run of the examples. */
export function declareRuns(choose: (runs: readonly ExpectedRun[], example: string) => readonly ExpectedRun[]): void {
  for (const example of EXAMPLE_NAMES) {
    const { plan, tools } = readWholePlan(examplePath(`${example}.yaml`), { tools: TOOLS });
    const runs = defined(compileRuns(readExample(`${example}.runs.yaml`), plan, tools).runs);
    for (const run of choose(runs.filter(canBeRecorded), example)) {
      test(`${example}, ${run.name}: the service says ${run.must}`, async (t) => {
        t.is(await verdictOf(run, { example, plan }), run.must);
      });
    }
  }
}

/** Runs that can be recorded now: something is done, and at no time that the run itself states. */
const canBeRecorded = ({ approvals, actions }: ExpectedRun): boolean =>
  actions.length > 0 &&
  actions.every(({ started_at, ended_at }, index) => {
    const after = Date.parse(started_at) - Date.parse(defined(approvals[0]).at);
    return started_at === ended_at && after === (index + 1) * 60_000;
  });

const addApprover = (tenantId: string, group: string): Promise<Caller> =>
  verification.withDatabase('owner', async (database) => {
    const { keyId } = await issueKey(database, tenantId, 'approver', { group });
    return { tenantId, keyId, role: Role.ROLE_APPROVER, scopes: [], keyGroup: group };
  });

/**
 * The verdict on a run that is approved, checked, recorded, evidenced and verified. Each run has a tenant of its own:
 * evidence counts once, and limits count all runs of a tenant.
 */
async function verdictOf(
  run: ExpectedRun,
  { example, plan }: { readonly example: string; readonly plan: WithTools },
): Promise<string> {
  const { tenantId, agent } = await verification.addTenant(run.name);
  await uploadTables(agent, example);
  const steps = createPlanSteps(verification.service, agent);
  const created = await steps.create(plan);
  for (const { group } of run.approvals) await steps.approve(await addApprover(tenantId, group), created);
  const { approvals } = await steps.read(created);
  if (approvals.given.length < approvals.needed) return 'violated';
  const approvedAt = Date.parse(defined(approvals.given.at(-1)).at);
  const actions = run.actions.map((action, index) => {
    const at = new Date(approvedAt + index + 1).toISOString().replace('Z', '000Z');
    return { ...action, started_at: at, ended_at: at };
  });
  const checks = [
    await steps.check('plan_alignment', created, actions),
    await steps.check('constraints', created, actions),
  ];
  const broken = checks.find(({ result }) => result.verdict !== 'satisfied');
  if (broken !== undefined) return broken.result.verdict;
  const execution = await steps.record(created, actions);
  // Without any evidence that the plan requires, the run stays unverified.
  if (run.artifacts.length > 0) await steps.submit(execution, run.artifacts);
  else if (execution.evidence_required.some(({ min }) => min > 0)) return 'violated';
  const { execution_id } = execution;
  const { verdicts, proof_id } = await steps.verify(execution_id);
  const [worst = 'satisfied'] = Object.values(verdicts).flatMap(({ verdict }) =>
    verdict === 'satisfied' ? [] : [verdict],
  );
  if (proof_id === null || proof_id === undefined) return worst;
  const proof = await verifyProof(await steps.download(execution_id, proof_id));
  return proof.outcome === 'valid' ? worst : proof.outcome;
}
