import test from 'ava';
import { examineAdmin, examineDisk } from '../../../../../scripts/cli/tollhouse/doctor/examine-machine.ts';

for (const [listen, level] of [
  [undefined, undefined],
  ['', undefined],
  ['unix:/run/tollhouse/admin.sock', undefined],
  ['127.0.0.1:9464', 'ok'],
  ['[::1]:9464', 'ok'],
  ['10.1.2.3:9464', 'ok'],
  ['172.31.255.1:9464', 'ok'],
  ['[fd00::7]:9464', 'ok'],
  ['metrics.internal:9464', 'ok'],
  ['0.0.0.0:9464', 'warning'],
  ['[::]:9464', 'warning'],
  ['172.32.0.1:9464', 'warning'],
  ['203.0.113.7:9464', 'warning'],
] as const) {
  test(`ADMIN_LISTEN=${listen}: ${level ?? 'nothing'}`, (t) => {
    t.deepEqual(
      examineAdmin(listen).map((finding) => finding.level),
      level === undefined ? [] : [level],
    );
  });
}

test('a data folder that is missing is said in words', async (t) => {
  t.like(await examineDisk('/nowhere/data'), { level: 'failure', found: 'there is no data folder /nowhere/data' });
  t.is((await examineDisk('/')).check, 'disk.free');
});
