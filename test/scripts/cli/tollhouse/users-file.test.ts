import test from 'ava';
import { CommandError } from '../../../../scripts/cli/terminal/command.ts';
import { formatUsersFile, parseUsersFile } from '../../../../scripts/cli/tollhouse/tenants/users-file.ts';
import { fc } from '../../../kit/fast-check.ts';

const ANN = { id: '1', name: 'Ann', email: 'ann@example.com', active: true };
const lineOf = (over: object = {}): string => JSON.stringify({ ...ANN, ...over });
const parse = (text: string | Uint8Array) => parseUsersFile(Buffer.from(text));

test('written users are read back unchanged', (t) => {
  const users = fc.uniqueArray(
    fc.record<ReturnType<typeof parse>[number]>({
      id: fc.stringMatching(/^[A-Za-z0-9_.:-]{1,64}$/),
      name: fc
        .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
        .filter((name) => /^[^\p{Cc}@]*$/u.test(name.normalize('NFKC')) && name.trim() !== ''),
      email: fc.option(fc.emailAddress()),
      active: fc.boolean(),
    }),
    { selector: ({ id }) => id },
  );
  const plain = (each: readonly object[]) => each.map((user) => ({ ...user }));
  fc.assert(fc.property(users, (each) => t.deepEqual(plain(parse(formatUsersFile(each))), plain(each))));
});

test('the last line may lack a line feed, and lines may end with CR LF', (t) => {
  t.is(parse(`${lineOf()}\r\n${lineOf({ id: '2' })}`).length, 2);
});

for (const [title, line] of [
  ['an empty line', ''],
  ['no JSON', 'Ann,ann@example.com'],
  ['no UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ['a byte order mark', `\ufeff${lineOf()}`],
  ['an array', '[]'],
  ['null', 'null'],
  ['a repeated property', '{"id":"2","id":"3"}'],
  ['a missing property', lineOf({ id: '2', active: undefined })],
  ['an unknown property', lineOf({ id: '2', role: 'admin' })],
  ['an id that is a number', lineOf({ id: 2 })],
  ['an id that is an address', lineOf({ id: 'ann@example.com' })],
  ['an id that is too long', lineOf({ id: 'x'.repeat(65) })],
  ['a repeated id', lineOf()],
  ['a blank name', lineOf({ id: '2', name: ' ' })],
  ['a name that is too long', lineOf({ id: '2', name: 'x'.repeat(201) })],
  ['a name with a control character', lineOf({ id: '2', name: 'Ann\u001b[2J' })],
  ['a name that is an address', lineOf({ id: '2', name: 'ann＠example.com' })],
  ['an email that is not an address', lineOf({ id: '2', email: 'ann' })],
  ['an email with two addresses', lineOf({ id: '2', email: 'a@example.com, b@example.com' })],
  ['an empty email', lineOf({ id: '2', email: '' })],
  ['a value of active that is text', lineOf({ id: '2', active: 'true' })],
  ['too many bytes', lineOf({ id: '2', name: ' '.repeat(5000) })],
] as const) {
  test(`a line with ${title} is refused with its line number`, (t) => {
    const file = Buffer.concat([
      Buffer.from(`${lineOf()}\n`),
      Buffer.from(line),
      Buffer.from(`\n${lineOf({ id: '3' })}\n`),
    ]);
    const error = t.throws(() => parse(file), { instanceOf: CommandError, message: /^line 2 / });
    t.true(error.message.length < 200, error.message);
  });
}

test('more users than the limit are refused', (t) => {
  const lines = Array.from({ length: 20_001 }, (_, index) => lineOf({ id: `u${index}` }));
  t.throws(() => parse(lines.join('\n')), { instanceOf: CommandError, message: /^line 20001 / });
});
