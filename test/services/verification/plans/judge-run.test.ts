import test from 'ava';
import { JudgeRunRequest_Check as Check } from '../../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { readTool } from '../../../../services/verification/catalogue/tool-document.ts';
import { HANG_MS } from '../../../kit/until.ts';
import { transfer } from '../catalogue/tools.ts';
import { useVerificationProcess } from '../verification-process.ts';
import { invoices, payment, paymentPlan, toLines } from './payment-plan.ts';
import { timed } from './plan-steps.ts';

const verification = await useVerificationProcess();
test.after.always(() => verification.stop());

test('a run of a plan of format 2 is judged without being stored, with its tools and tables', async (t) => {
  const rows = invoices(3);
  const { document, sha256 } = readTool(transfer(), '');
  const plan = paymentPlan(rows, { name: 'bank.transfer', version: '1.0.0', sha256 }, { constraints: [] });
  const judge = async (actions: readonly ReturnType<typeof payment>[], tables: readonly string[]) => {
    const request = {
      tenantId: 'test',
      check: Check.CHECK_PLAN_ALIGNMENT,
      plan: JSON.stringify(plan),
      actions: JSON.stringify(timed(actions)),
      sheets: [],
      tools: [document],
      tables: [...tables],
    };
    const { answer } = await verification.service.call((client) => client.judgeRun, request, { timeoutMs: HANG_MS });
    return JSON.parse(answer).verdict;
  };
  t.is(await judge(rows.map(payment), [toLines(rows)]), 'satisfied');
  t.is(await judge([payment({ invoice: 'A0', payee: 'P0', amount: '11.00' })], [toLines(rows)]), 'violated');
  await t.throwsAsync(judge(rows.map(payment), []), { code: 'MALFORMED_INPUT' });
});
