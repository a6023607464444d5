import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { type Caller, Role } from '../../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { readPlan2Input } from '../../../../scripts/cli/tollhouse/plans/plan-input.ts';
import { ensureSandboxTools } from '../../../../scripts/launch/sandbox-tools.ts';
import { verifyProof } from '../../../../services/verification/offline/verify-proof.ts';
import { issueKey } from '../../../../services/verification/tenants/keys.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { compileRuns, type ExpectedRun } from '../../../../workers/plan-text/runs/compile-runs.ts';
import { createCatalogueSteps } from '../catalogue/catalogue-steps.ts';
import { type Callers, startVerificationProcess, type VerificationProcess } from '../verification-process.ts';
import { createPlanSteps } from './plan-steps.ts';

const FOLDER = new URL('../../../../docs/verified-execution/examples/', import.meta.url);
const TOOLS = fileURLToPath(new URL('tools.yaml', FOLDER));
const read = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8');

let verification: VerificationProcess;
let tenants = 0;
test.before(async () => {
  verification = await startVerificationProcess();
  await ensureSandboxTools(verification.databaseUrl(), TOOLS);
});
test.after.always(() => verification?.stop());

/** A tenant for each run: evidence counts once, and limits count all runs of a tenant. */
async function addTenant(): Promise<Callers> {
  tenants += 1;
  const callers = await verification.addTenant(`run-${tenants}`);
  const { upload } = createCatalogueSteps(verification.service);
  for (const name of globSync('*.jsonl', { cwd: FOLDER })) await upload(callers.agent, read(name));
  return callers;
}

const addApprover = ({ tenantId }: Callers, group: string): Promise<Caller> =>
  verification.withDatabase('owner', async (database) => {
    const { keyId } = await issueKey(database, tenantId, 'approver', { group });
    return { tenantId, keyId, role: Role.ROLE_APPROVER, scopes: [], keyGroup: group };
  });

/** Runs that can be recorded now: something is done, and at no time that the run itself states. */
const canBeRecorded = ({ approvals, actions }: ExpectedRun): boolean =>
  actions.length > 0 &&
  actions.every(({ started_at, ended_at }, index) => {
    const after = Date.parse(started_at) - Date.parse(defined(approvals[0]).at);
    return started_at === ended_at && after === (index + 1) * 60_000;
  });

/** The verdict on a run that is approved, checked, recorded, evidenced and verified. */
async function verdictOf(run: ExpectedRun, plan: object): Promise<string> {
  const callers = await addTenant();
  const steps = createPlanSteps(verification.service, callers.agent);
  const created = await steps.create({ ...plan, expires_at: '2099-12-31T00:00:00.000000Z' });
  for (const { group } of run.approvals) await steps.approve(await addApprover(callers, group), created);
  const { approvals } = await steps.read(created);
  if (approvals.given.length < approvals.needed) return 'violated';
  const approvedAt = Date.parse(defined(approvals.given.at(-1)).at);
  const actions = run.actions.map((action, index) => {
    const at = new Date(approvedAt + index + 1).toISOString().replace('Z', '000Z');
    return { ...action, started_at: at, ended_at: at };
  });
  const checks = [
    await steps.check('verifyPlanAlignment', created, actions),
    await steps.check('verifyConstraints', created, actions),
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

for (const name of globSync('*.runs.yaml', { cwd: FOLDER })) {
  const file = name.replace('.runs', '');
  const { plan, tools } = readPlan2Input(fileURLToPath(new URL(file, FOLDER)), { tools: TOOLS });
  const runs = defined(compileRuns(read(name), plan, tools).runs);
  for (const run of runs.filter(canBeRecorded)) {
    test(`${file}, ${run.name}: the service says ${run.must}`, async (t) => {
      t.is(await verdictOf(run, plan), run.must);
    });
  }
}
