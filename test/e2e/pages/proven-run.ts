import type { Page } from 'playwright-core';
import { describeTools } from '../../../scripts/cli/try/flow-calls.ts';
import { playRun } from '../../../scripts/cli/try/play-run.ts';
import { readPlanFile, readRun, readRunFiles } from '../../../scripts/cli/try/run-file.ts';
import { defined } from '../../../workers/exact/defined.ts';
import type { TestTenant } from '../verified/verified-stack.ts';

export interface ProvenRun {
  readonly proofId: string;
  readonly executionId: string;
  /** The bytes of the proof file. */
  readonly proof: Buffer;
}

/** Plays a run from the plan to the proof. */
export async function proveRun(tenant: TestTenant): Promise<ProvenRun> {
  const run = readRun(defined(readRunFiles().get('as-planned')), `page-${process.hrtime.bigint()}`);
  await describeTools(tenant.approver);
  const played = await playRun(readPlanFile(), run, { ...tenant, onStep: () => {} });
  const proofId = defined(played.proofId);
  return {
    proofId,
    executionId: defined(played.executionId),
    proof: await tenant.reader.download(`/api/v1/proofs/${proofId}`),
  };
}

/** What a page of proofs shows at the end. */
export const ENDED = '#record .verdict, #record > .bad, #record > .note';
export const PASSED = ['passed', 'passed', 'passed', 'passed', 'passed'];
export const outcomes = (page: Page) => page.locator('.checks .state').allTextContents();
export const textOf = async (page: Page, selector = '#record'): Promise<string> =>
  (await page.textContent(selector)) ?? '';
