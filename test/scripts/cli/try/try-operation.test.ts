import test from 'ava';
import { geocode } from '../../../../gateway/operations/geocode/operation.ts';
import { CommandError } from '../../../../scripts/cli/terminal/command.ts';
import { tryOperation } from '../../../../scripts/cli/try/try-operation.ts';
import { CHARGED, challenging, UNCONFIRMED } from '../../../gateway/pages/trial-answers.ts';
import { answering, startUpstream } from '../../../kit/upstream-server.ts';

const TRIED = { name: 'geocode', argument: 'Berlin', payment: undefined, keyFile: undefined, nodeUrl: undefined };

const shown: string[] = [];
console.log = (text: string) => {
  shown.push(text);
};

test.serial('the result of a trial is shown once its accounting is confirmed', async (t) => {
  const { baseUrl } = await startUpstream(t, challenging(geocode), answering({}, 200, CHARGED));
  await tryOperation({ ...TRIED, origin: baseUrl.origin });
  t.regex(shown.splice(0).join('\n'), /Result/);
});

for (const [reason, headers] of UNCONFIRMED) {
  test.serial(`the result of a trial is not shown ${reason}`, async (t) => {
    const { baseUrl } = await startUpstream(t, challenging(geocode), answering({}, 200, headers));
    await t.throwsAsync(tryOperation({ ...TRIED, origin: baseUrl.origin }), {
      instanceOf: CommandError,
      message: /not confirmed/,
    });
    t.notRegex(shown.splice(0).join('\n'), /Result/);
  });
}

test('a file that is not text is refused before anything is sent', async (t) => {
  const tried = { ...TRIED, name: 'html-to-markdown', argument: process.execPath, origin: 'http://127.0.0.1:1' };
  await t.throwsAsync(tryOperation(tried), { instanceOf: CommandError, message: /is not text.*nothing was sent/ });
});
