import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { readTryKeys } from '../../../../scripts/cli/try/try-keys.ts';
import { defined } from '../../../../workers/exact/defined.ts';

const LOCAL = 'http://127.0.0.1:8402';
const REMOTE = 'https://api.example.com';
const SANDBOX = { agent: 'thk_sandbox_agent', approver: 'thk_sandbox_approver', reader: 'thk_sandbox_reader' };

const folder = mkdtempSync(join(tmpdir(), 'tollhouse-keys-'));
mkdirSync(join(folder, 'keys'));
writeFileSync(join(folder, 'keys', 'sandbox.json'), JSON.stringify(SANDBOX));
test.after.always(() => rmSync(folder, { recursive: true }));

const environment = {
  TOLLHOUSE_DATA: folder,
  TOLLHOUSE_AGENT_KEY: 'thk_environment_agent',
  TOLLHOUSE_APPROVER_KEY: 'thk_environment_approver',
};
const sandboxOnly = { TOLLHOUSE_DATA: folder };

test('keys come from the options first, then from the environment, then from the sandbox', (t) => {
  const options = { agentKey: 'thk_option_agent', approverKey: 'thk_option_approver' };
  t.deepEqual(readTryKeys({ origin: REMOTE, options, environment }), {
    agent: 'thk_option_agent',
    approver: 'thk_option_approver',
  });
  t.deepEqual(readTryKeys({ origin: REMOTE, options: {}, environment }), {
    agent: 'thk_environment_agent',
    approver: 'thk_environment_approver',
  });
  t.like(readTryKeys({ origin: LOCAL, options: {}, environment: sandboxOnly }), SANDBOX);
});

for (const [title, sources, message] of [
  ['for another machine', { origin: REMOTE, options: {}, environment: sandboxOnly }, /no keys for https:\/\/api/],
  ['of one role', { origin: LOCAL, options: { agentKey: 'thk_a' }, environment: sandboxOnly }, /only the agent's/],
  ['in an empty folder', { origin: LOCAL, options: {}, environment: { TOLLHOUSE_DATA: '/nowhere' } }, /\/nowhere/],
] as const) {
  test(`without keys ${title}, the error says how to give them`, (t) => {
    const error = t.throws(() => readTryKeys(sources));
    t.regex(defined(error).message, message);
    t.regex(
      defined(error).message,
      /TOLLHOUSE_AGENT_KEY and TOLLHOUSE_APPROVER_KEY .* --agent-key KEY --approver-key KEY$/,
    );
  });
}
