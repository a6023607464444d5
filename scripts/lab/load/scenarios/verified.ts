import { randomBytes } from 'node:crypto';
import { createApi } from '../../../cli/try/api.ts';
import { describeTools } from '../../../cli/try/flow-calls.ts';
import { playRun } from '../../../cli/try/play-run.ts';
import { readPlanFile, readRun, readRunFiles, readToolFile } from '../../../cli/try/run-file.ts';
import { NOTHING_TO_PREPARE, type Scenario, type ScenarioContext } from './scenario.ts';

const RUN = 'as-planned';

/** A run of verified execution from the plan to the proof: eight requests, one after the other. */
export function createVerified({ origin, keys }: ScenarioContext): Scenario {
  if (keys === undefined) throw new Error('the scenario verified needs --agent-key and --approver-key');
  const text = readRunFiles().get(RUN);
  if (text === undefined) throw new Error(`the example has no run ${RUN}`);
  const plan = readPlanFile();
  const unlimited = readToolFile().map((tool) => ({ ...tool, limits: [] }));
  const player = {
    agent: createApi(origin, keys.agent),
    approver: createApi(origin, keys.approver),
    onStep: () => {},
  };
  return {
    ...NOTHING_TO_PREPARE,
    prepare: () => describeTools(player.approver, unlimited),
    async send() {
      const { at, code, verdict } = await playRun(plan, readRun(text, randomBytes(8).toString('hex')), player);
      return at === 'proof' ? { isGood: true, code: 'proof' } : { isGood: false, code: `${at} ${code ?? verdict}` };
    },
  };
}
