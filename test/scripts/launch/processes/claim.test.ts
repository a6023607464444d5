import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import test from 'ava';
import { ClaimedError, claim } from '../../../../scripts/launch/processes/claim.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { createTestFolder } from '../../../kit/test-folder.ts';

const MODULE = new URL('../../../../scripts/launch/processes/claim.ts', import.meta.url).href;

function claimant(runDir: string, then = 'setInterval(() => {}, 1000)') {
  const script = `
    import { claim } from '${MODULE}';
    await claim('${runDir}', 'thing').then(() => console.log('held'), (error) => console.log(error.name));
    ${then};`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said = once(child.stdout, 'data').then(([chunk]) => String(chunk).trim());
  return { child, said };
}

test('a claim is refused while another process holds it, and is free after that process was killed', async (t) => {
  const folder = createTestFolder();
  const { child, said } = claimant(folder.runDir);
  t.is(await said, 'held');
  const refused = await t.throwsAsync(claim(folder.runDir, 'thing'), { instanceOf: ClaimedError });
  t.is(refused.pid, defined(child.pid));
  child.kill('SIGKILL');
  await once(child, 'exit');
  const release = await claim(folder.runDir, 'thing');
  release();
  folder.remove();
});

test('a process that ends leaves no file of its claim', async (t) => {
  const folder = createTestFolder();
  const { child, said } = claimant(folder.runDir, 'process.exit(0)');
  t.is(await said, 'held');
  if (child.exitCode === null) await once(child, 'exit');
  t.deepEqual(readdirSync(folder.runDir), []);
  folder.remove();
});

test('a released claim can be claimed again, and claims of other things are independent', async (t) => {
  const folder = createTestFolder();
  const release = await claim(folder.runDir, 'thing');
  const other = await claim(folder.runDir, 'other');
  await t.throwsAsync(claim(folder.runDir, 'thing'), { instanceOf: ClaimedError });
  release();
  (await claim(folder.runDir, 'thing'))();
  other();
  folder.remove();
});

test('at most one of many simultaneous claims succeeds', async (t) => {
  const folder = createTestFolder();
  const claimants = Array.from({ length: 4 }, () => claimant(folder.runDir));
  const answers = await Promise.all(claimants.map(({ said }) => said));
  t.true(answers.filter((answer) => answer === 'held').length <= 1, answers.join());
  for (const { child } of claimants) child.kill('SIGKILL');
  folder.remove();
});
