import test from 'ava';
import { compileTools } from '../../../../../workers/plan/text/tools/compile-tools.ts';
import { TOOLS_BASE } from '../faults/catalogue-cases.ts';

test('a tool has its strictest parts where it says nothing', (t) => {
  t.deepEqual(compileTools('tools: { a@0.0.0: {} }').tools, [
    {
      ...{ tool_format: 2, name: 'a', version: '0.0.0', effect: 'none', replay: 'recorded', args: {}, responds: {} },
      ...{ effects: {}, observe: {}, identity: null, post: [], state: {}, limits: [] },
    },
  ]);
  t.deepEqual(compileTools('tools: {}').tools, []);
});

test('each part of a catalogue is accepted up to its bounds', (t) => {
  for (const [from, to] of [
    ['bank.pay@1.0.0', `${'b'.repeat(64)}@999999999.0.10`],
    ['identity: id', 'identity: number'],
    ['limits: { one: 1 act per day }', 'limits: {}'],
    ['amounts: args.amount in EUR', `amounts: [${Array(8).fill('args.amount in EUR').join(', ')}]`],
    ['amounts: args.amount in EUR', `amounts: args.amount  in  ${'9'.repeat(18)} EUR`],
    ['amounts: args.amount in EUR', `amounts: args.amount in 0.${'0'.repeat(17)}1 ABCDEFGH1234`],
    ['one: 1 act per day', Array.from({ length: 16 }, (_, index) => `l${index}: 1 act per day`).join(', ')],
  ] as const) {
    t.is(compileTools(TOOLS_BASE.replace(from, () => to)).faults, undefined, to);
  }
});

test('replay, effects and what is observed fit each other', (t) => {
  const faultsOf = (...changes: readonly (readonly [string, string])[]) =>
    compileTools(changes.reduce((text, [from, to]) => text.replace(from, to), TOOLS_BASE)).faults?.map(
      ({ code, line, column, message }) => `${code} ${line}:${column} ${message}`,
    );
  const AMOUNTS = ['    amounts: args.amount in EUR\n', ''] as const;
  const OBSERVE = '    observe: { left: left }\n';
  const EFFECTS = / {4}effects: .*\n/.exec(TOOLS_BASE)?.[0] ?? '';
  t.deepEqual(faultsOf([OBSERVE, '']), [
    'WRONG_REPLAY 4:13 replay is "effects", which compares states with the response: add observe, or write "recorded"',
  ]);
  t.deepEqual(faultsOf(['replay: effects', 'replay: recorded']), [
    'WRONG_REPLAY 4:13 replay is "recorded", and only "effects" observes states',
  ]);
  t.is(faultsOf(['replay: effects', 'replay: recorded'], [OBSERVE, '']), undefined);
  t.deepEqual(faultsOf(['replay: effects', 'replay: pure'], [OBSERVE, '']), [
    'WRONG_REPLAY 4:13 replay is "pure", and the tool has effects: a pure tool changes no state',
  ]);
  t.deepEqual(faultsOf(['replay: effects', 'replay: pure'], [OBSERVE, ''], [EFFECTS, '']), [
    'UNKNOWN_TOOL 4:13 bank.pay@1.0.0 is not a tool that this service can run again',
  ]);
  t.deepEqual(faultsOf(['    identity: id\n', '']), [
    'WRONG_REPLAY 3:13 effect is "revenue_write", and a tool that moves money needs identity: the field that identifies one act',
  ]);
  t.is(faultsOf(['    identity: id\n', ''], ['effect: revenue_write', 'effect: write'], AMOUNTS), undefined);
  t.deepEqual(faultsOf(['effect: revenue_write', 'effect: write']), [
    'WRONG_FORM 13:14 amounts is only for a tool whose effect is revenue_write',
  ]);
  // Where a part is misspelt, its own fault is told alone.
  t.is(faultsOf(['identity: id', 'identity: idd'])?.length, 1);
  t.is(faultsOf(['observe: { left: left }', 'observe: { left: lft }'])?.length, 1);
});

test('a description with more parts than it may have is named', (t) => {
  const limits = Array.from({ length: 17 }, (_, index) => `l${index}: 1 act per day`).join(', ');
  t.like(compileTools(TOOLS_BASE.replace('one: 1 act per day', limits)).faults, [
    { code: 'TOO_MANY', line: 12, message: 'limits must not have more than 16 items' },
  ]);
});
