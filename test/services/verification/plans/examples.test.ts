import test from 'ava';
import { createJsonReader } from '../../../../scripts/launch/parse/json-reader.ts';
import { CreatePlanAnswer, ExplainPlanAnswer } from '../../../../services/verification/contract/answers.ts';
import { HANG_MS } from '../../../kit/until.ts';
import { EXAMPLE_NAMES, readExample } from '../../../models/plan-texts.ts';
import { declareRuns, uploadTables, useExampleService } from './example-runs.ts';

const SETTINGS = { timeoutMs: HANG_MS };
const readCreated = createJsonReader(CreatePlanAnswer, 'the plan');
const readExplained = createJsonReader(ExplainPlanAnswer, 'the view');

const verification = useExampleService();

for (const name of EXAMPLE_NAMES) {
  test(`the example ${name} is proposed as text by the tools of a sandbox, and shown in words`, async (t) => {
    const { service, addTenant } = verification();
    const { agent, reader } = await addTenant(name);
    const body = JSON.stringify({ plan_text: readExample(`${name}.yaml`), tables: await uploadTables(agent, name) });
    const created = await service.ask('createPlan', { caller: agent, arguments: body }, SETTINGS);
    const { plan_id, plan_hash, lint } = readCreated(created.answer);
    t.false(
      lint.some(({ code }) => code === 'NOT_DECIDED'),
      JSON.stringify(lint),
    );
    const request = { caller: reader, params: { plan_id } };
    const { markdown } = readExplained((await service.ask('explainPlan', request, SETTINGS)).answer);
    t.true(markdown.includes(plan_hash));
  });
}

/** It has a run for each step at which a run can fail: its approvals, its actions and its evidence. */
const OF_EVERY_STEP = 'payment-run';

// `plan test` judges all runs of the examples, and `long/example-runs.test.ts` sends all of them to the service.
declareRuns((runs, example) => (example === OF_EVERY_STEP ? runs : []));
