import { existsSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { createTestFolder } from '../../../../kit/test-folder.ts';
import { runCommand } from '../run-command.ts';

test('a file of a secret that cannot be read is in one list with all that is wrong with the settings', async (t) => {
  const { path, remove } = createTestFolder();
  t.teardown(remove);
  const wrong = { X402_SIGNER_KEY_FILE: join(path, 'none'), RETENTION_DAYS: '0' };
  const environment = { ...wrong, TOLLHOUSE_DATA: path };
  const other = await runCommand(environment, ['payments', 'list']);
  t.is(other.exitCode, 78);
  t.regex(other.errors, /X402_SIGNER_KEY_FILE: the file .*none cannot be read$/);
  const { exitCode, output } = await runCommand(environment, ['doctor']);
  t.is(exitCode, 1);
  t.regex(output, /FAILURE {2}configuration +payments: X402_SIGNER_KEY_FILE: the file .*none cannot be read\n +→/);
  t.regex(output, /FAILURE {2}configuration +gateway, backoffice: RETENTION_DAYS: found 0/);
});

test('a data folder that is missing is not made', async (t) => {
  const { path, remove } = createTestFolder();
  t.teardown(remove);
  const missing = join(path, 'data');
  const { output } = await runCommand({ TOLLHOUSE_DATA: missing }, ['doctor']);
  t.regex(output, /FAILURE {2}disk.free +there is no data folder .*data\n/);
  for (const server of ['postgresql', 'redis', 'payments']) t.regex(output, new RegExp(`FAILURE {2}${server} `));
  t.false(existsSync(missing));
});
