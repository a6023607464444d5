import test from 'ava';
import { readPlan } from '../../../../workers/plan/read/read-plan.ts';
import { readActions } from '../../../../workers/verdict/run/read-actions.ts';
import { judgeReplay } from '../../../../workers/verdict/run/replay.ts';
import { DEFAULT_RLIMIT } from '../../../../workers/verdict/z3/z3.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';
import { REFUND_PLAN } from '../../../models/refund-plan.ts';
import { look } from '../../../models/refund-run.ts';
import { refuses } from '../thrown.ts';

const judge = { solver: await sharedZ3(), rlimit: DEFAULT_RLIMIT };
const [LOOK] = REFUND_PLAN.tools;
const WRITE = {
  ...LOOK,
  name: 'html-to-markdown',
  version: '1.5.0',
  replay: 'pure',
  args: { html: { type: 'string', max: 512 } },
  responds: { markdown: { type: 'string', max: 512, at: '/markdown' } },
};
const STEP = { step_id: 'write', where: [], after: [], effects: {}, min: 1, max: 1, evidence: [] };
const planWith = (tool: object, version = '1.5.0', name = WRITE.name) => ({
  ...REFUND_PLAN,
  max_recorded: 0,
  tools: [{ ...WRITE, name, ...tool }],
  steps: [{ ...STEP, tool: `${name}@${version}` }],
  constraints: [],
});

/** The whole output of the tool for this Markdown. */
const outputWith = (markdown: string) => ({
  title: null,
  byline: null,
  excerpt: null,
  markdown,
  markdownCharacters: markdown.length,
});

function replay(response: object, version = '1.5.0', tool = WRITE.name) {
  const plan = readPlan(planWith({ version }, version, tool));
  const args = { html: '<p>Refunded <b>80.00</b>.' };
  const action = { ...look, step_id: 'write', tool, tool_version: version, args, response };
  return judgeReplay({ plan, actions: readActions([action], plan) }, judge);
}

test('a pure tool is run again', (t) => {
  t.like(replay(outputWith('Refunded **80.00**.\n')), {
    replay: { verdict: 'satisfied', engine: 'evaluator+z3' },
    assurance: { recomputed: 1, modelled: 0, recorded: 0, ghost_states: [], reported_times: false },
  });
});

test('a response that differs from the output of the tool diverges', (t) => {
  const reasons = [{ code: 'RESPONSE_DIVERGES', path: '/actions/0/response' }];
  t.like(replay(outputWith('Refunded **90.00**.\n')), { replay: { verdict: 'violated', reasons } });
});

test('a version that was replaced is confirmed by the later one, and never refuted by it', (t) => {
  const reasons = [{ code: 'TOOL_REPLACED', path: '/actions/0/response' }];
  for (const version of ['1.0.0', '1.1.0', '1.2.0', '1.3.0', '1.4.0']) {
    t.like(replay(outputWith('Refunded **80.00**.\n'), version), { replay: { verdict: 'satisfied' } });
    t.like(replay(outputWith('Refunded **90.00**.\n'), version), {
      replay: { verdict: 'indeterminate', engine: 'none', reasons },
    });
  }
});

test('what the converter gave with plugins is neither confirmed nor refuted without them', (t) => {
  const reasons = [{ code: 'TOOL_REPLACED', path: '/actions/0/response' }];
  const tool = `html-to-markdown:${'0123456789abcdef'.repeat(2)}`;
  for (const amount of ['80.00', '90.00']) {
    t.like(replay(outputWith(`Refunded **${amount}**.\n`), '1.5.0', tool), {
      replay: { verdict: 'indeterminate', engine: 'none', reasons },
    });
  }
});

test('a response that is a part of the output diverges', (t) => {
  const reasons = [{ code: 'RESPONSE_DIVERGES', path: '/actions/0/response' }];
  t.like(replay({ markdown: 'Refunded **80.00**.\n' }), { replay: { verdict: 'violated', reasons } });
});

const TEXT = { type: 'string', max: 512 };
const REFUSED: readonly (readonly [string, object, string, string])[] = [
  ['with an unknown version', { version: '1.0.1' }, 'UNKNOWN_PURE_TOOL', '/tools/0/replay'],
  ['with a malformed digest of plugins', { name: 'html-to-markdown:plugins' }, 'UNKNOWN_PURE_TOOL', '/tools/0/replay'],
  ['with an argument that it does not take', { args: { html: TEXT, url: TEXT } }, 'WRONG_REPLAY', '/tools/0/args/url'],
  ['with an argument of another type', { args: { html: { type: 'bool' } } }, 'WRONG_REPLAY', '/tools/0/args/html'],
  ['without an argument that it needs', { args: { sourceUrl: TEXT } }, 'WRONG_REPLAY', '/tools/0/args'],
];

for (const [what, tool, code, path] of REFUSED) {
  test(`a pure tool ${what} is refused with a pointer to it`, (t) => {
    refuses(t, () => readPlan(planWith(tool)), code, path);
  });
}
