import { randomUUID } from 'node:crypto';
import { catalogued } from '../../../models/catalogued.ts';
import { createCatalogueSteps } from '../catalogue/catalogue-steps.ts';
import type { transfer } from '../catalogue/tools.ts';
import { createPlanSteps } from '../plans/plan-steps.ts';
import { PAY_ONLY } from '../steps.ts';
import type { UsedVerification } from '../verification-process.ts';

/** A step of up to 50 transfers. */
export const planOf = (tool: ReturnType<typeof transfer>, changes: object = {}) =>
  catalogued({
    ...PAY_ONLY,
    max_recorded: 50,
    tools: [tool],
    variables: {},
    state: {},
    steps: [{ ...PAY_ONLY.steps[0], tool: `${tool.name}@${tool.version}`, max: 50, evidence: [] }],
    ...changes,
  }).plan;

export const act = (amount: string, changes: { readonly payee?: string; readonly version?: string } = {}) => ({
  step_id: 'pay',
  tool: 'bank.transfer',
  tool_version: changes.version ?? '1.0.0',
  args: { invoice: randomUUID(), payee: changes.payee ?? 'ann', amount },
  response: { id: randomUUID() },
});

/** Makes tenants whose catalogue describes the transfer, each with an approved plan of it. */
export function createLimited(verification: UsedVerification) {
  const catalogue = createCatalogueSteps(verification.service);
  return {
    catalogue,
    async prepare(tool: ReturnType<typeof transfer>, changes: object = {}) {
      const callers = await verification.addTenant('limits');
      await catalogue.describe(callers.approver, tool);
      const steps = createPlanSteps(verification.service, callers.agent);
      const plan = await steps.create(planOf(tool, changes));
      await steps.approve(callers.approver, plan);
      const record = (acts: readonly ReturnType<typeof act>[]) => steps.record(plan, acts);
      return { callers, steps, plan, record };
    },
  };
}
