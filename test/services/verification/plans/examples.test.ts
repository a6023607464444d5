import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { createJsonReader } from '../../../../scripts/launch/parse/json-reader.ts';
import { ensureSandboxTools } from '../../../../scripts/launch/sandbox-tools.ts';
import { CreatePlanAnswer, ExplainPlanAnswer } from '../../../../services/verification/contract/answers.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { createCatalogueSteps } from '../catalogue/catalogue-steps.ts';
import { type Callers, startVerificationProcess, type VerificationProcess } from '../verification-process.ts';

const FOLDER = new URL('../../../../docs/verified-execution/examples/', import.meta.url);
const SETTINGS = { timeoutMs: 60_000 };
const read = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8');
const readCreated = createJsonReader(CreatePlanAnswer, 'the plan');
const readExplained = createJsonReader(ExplainPlanAnswer, 'the view');

let verification: VerificationProcess;
let callers: Callers;
test.before(async () => {
  verification = await startVerificationProcess();
  callers = await verification.addTenant('examples');
  const catalogue = fileURLToPath(new URL('tools.yaml', FOLDER));
  await ensureSandboxTools(verification.databaseUrl(), catalogue);
  // The catalogue has tools now, so nothing is imported again.
  await ensureSandboxTools(verification.databaseUrl(), '/nowhere.yaml');
});
test.after.always(() => verification?.stop());

const plans = globSync('*.yaml', { cwd: FOLDER }).filter((name) => !/\.runs\.yaml$|^tools\.yaml$/.test(name));

test('there are eight examples', (t) => {
  t.is(plans.length, 8);
});

for (const name of plans) {
  test(`the example ${name} is proposed as text by the tools of a sandbox, and shown in words`, async (t) => {
    const { service } = verification;
    const { upload } = createCatalogueSteps(service);
    const text = read(name).replace(/^expires: .*$/m, 'expires: 2099-12-31T00:00:00Z');
    const files = [...text.matchAll(/file: ([a-z-]+\.jsonl)/g)].map(([, file]) => defined(file));
    const tables: Record<string, string> = {};
    for (const file of files) tables[file] = (await upload(callers.agent, read(file))).sha256;
    const body = JSON.stringify({ plan_text: text, tables });
    const created = await service.call(
      (client) => client.createPlan,
      { caller: callers.agent, idempotencyKey: '', arguments: body },
      SETTINGS,
    );
    t.is(created.textFaults, '');
    const { plan_id, plan_hash, lint } = readCreated(created.answer);
    t.false(
      lint.some(({ code }) => code === 'NOT_DECIDED'),
      JSON.stringify(lint),
    );
    const request = { caller: callers.reader, planId: plan_id };
    const { markdown } = readExplained((await service.call((client) => client.explainPlan, request, SETTINGS)).answer);
    t.true(markdown.includes(plan_hash));
  });
}
