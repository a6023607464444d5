import test from 'ava';
import type { SheetDocument } from '../../../../workers/exact/sheet-schema.ts';
import { compilePlan } from '../../../../workers/plan/text/compile-plan.ts';
import { toolsIn } from '../../../models/plan-texts.ts';
import { viewOf } from '../../../models/view.ts';

const SHEET: SheetDocument = {
  sheet_format: 1,
  name: 'cap',
  version: '1.0.0',
  title: 'No more than a cap',
  variables: { amount: { type: 'decimal', scale: 2 }, isSo: { type: 'bool' } },
  constraints: [
    { id: 'positive', expr: ['>', ['var', 'amount'], ['dec', '0.00']] },
    { id: 'so', expr: ['=', ['var', 'isSo'], ['var', 'isSo']] },
  ],
};

/** Each part that a case replaces stands for what changes nothing. */
const TEXT = `plan: P
expires: 2026-12-05T00:00:00Z
recorded: 20
given: { flag: true, cap: 25.00 }
state: { left: 80.00, own: 1, is: true, sent: "map(string(9), int, default 0)" }
tools:
  own@1.0.0: { args: { q: string(8) }, responds: { ok: bool }, post: { p: OF_RESPONSE }, effects: { own: 'OF_TOOL ? 1 : 2' } }
steps:
  own: { tool: own@1.0.0, times: 0..5 }
  mail:
    tool: send@1
    times: 0..5
    where: OF_STEP
    effects: { left: 'OF_EFFECT ? 1.00 : 2.00', is: OF_TRUTH, 'sent[OF_KEY ? "a" : "b"]': 'OF_ENTRY ? 1 : 2' }
    evidence: { r: { type: application/json, reads: { at: time at /at }, where: OF_EVIDENCE } }
sheets:
  - { sheet: cap@1.0.0, for: each mail, bind: { amount: 'OF_BINDING ? cap : 2.00', isSo: OF_WHOLE_BINDING } }
  - { sheet: cap@1.0.0, for: plan, bind: { amount: cap, isSo: flag } }
rules:
  r: mail.all(m, OF_RULE)
`;

/** The lines of the view with a condition in place of a part. */
function linesWith(part: string, condition: string): readonly string[] {
  const text = TEXT.replace(part, part === 'OF_RULE' ? condition.replace('started_at', 'm.started_at') : condition);
  const tools = toolsIn(
    'tools:\n  send@1.0.0: { effect: write, args: { to: string(9) }, responds: { id: string(64) } }\n',
  );
  const { plan, faults } = compilePlan(text.replaceAll(/OF_[A-Z_]+/g, 'flag'), {
    tools,
    sheets: [SHEET],
    tables: new Map(),
  });
  if (plan === undefined) throw new Error(JSON.stringify(faults));
  return viewOf(plan, { tools, sheets: [SHEET] }).split('\n');
}

test('a view has every rule of a sheet, what its values are, and what it is for', (t) => {
  const lines = linesWith('OF_WHOLE_BINDING', 'flag').map((line) => line.replaceAll(/[0-9a-f]{64}/g, '…'));
  const from = lines.indexOf('- the sheet `cap@1.0.0` (SHA-256 `…`) for each action of `mail`:');
  t.deepEqual(lines.slice(from + 1, from + 6), [
    '  - its `amount` is `cap` (`25.00`) if `flag` (`true`), otherwise `2.00`',
    '  - its `isSo` is `flag` (`true`)',
    '  - `amount` is above `0.00`',
    '  - `isSo` is `isSo`',
    '- the sheet `cap@1.0.0` (SHA-256 `…`) for the run:',
  ]);
});

const hasLine = (lines: readonly string[], text: string) => lines.some((line) => line.includes(text));
const ABOUT = 'Rules ask about approvers of `finance`.';
const TIMES = 'Times of actions are reported by the agent';

for (const part of TEXT.match(/OF_[A-Z_]+/g) ?? []) {
  test(`a view says whom a condition asks about, and that a time in it is only reported: ${part}`, (t) => {
    const timed = linesWith(part, part === 'OF_EVIDENCE' ? 'ended_at < r.at' : 'started_at < approved_at');
    t.deepEqual([hasLine(timed, TIMES), hasLine(timed, ABOUT)], [true, false]);
    // Evidence is of an act, whoever approved it.
    if (part === 'OF_EVIDENCE') return;
    const asking = linesWith(part, 'approved_by("finance")');
    t.deepEqual([hasLine(asking, TIMES), hasLine(asking, ABOUT)], [false, true]);
  });
}
