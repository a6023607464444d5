import test from 'ava';
import { Type } from 'typebox';
import { AppError } from '../../../gateway/errors/app-error.ts';
import { readMessage } from '../../../gateway/mcp/read-message.ts';
import { createReader } from '../../../scripts/launch/parse/json-reader.ts';
import { parseStrictJson, RECORD_JSON, StrictJsonError } from '../../../workers/exact/strict-json.ts';
import { fc } from '../../kit/fast-check.ts';
import { runs } from '../../kit/property-runs.ts';

const withArguments = (text: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":${text}}}`;

const number = fc.constantFrom(
  '0',
  '-0',
  '7',
  '1.0',
  '1e2',
  '0.1',
  '9007199254740991',
  '9007199254740992',
  '-1',
  '1e999',
);
const string = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
  fc.constantFrom('"\\u0000"', '"\\ud800"', '"\\u0061"'),
);
const name = fc.constantFrom('"a"', '"\\u0061"', '"b"', '"__proto__"', '"c/d"');
/** JSON texts. Two parsers could read some of them differently. */
const { object } = fc.letrec<Readonly<Record<'value' | 'object', string>>>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    number,
    string,
    fc.constantFrom('true', 'null'),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
    tie('object'),
  ),
  object: fc
    .array(fc.tuple(name, tie('value')), { maxLength: 3 })
    .map((members) => `{${members.map(([key, value]) => `${key} : ${value}`).join(',')}}`),
}));

const readParams = createReader(Type.Object({ arguments: Type.Unknown() }), 'the params of the message');

/** Parses the same text as the service parses a body. */
function readAsBody(text: string): { readonly value: unknown } | { readonly fault: string } {
  try {
    return { value: parseStrictJson(text, RECORD_JSON) };
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    return { fault: error.message };
  }
}

test('arguments are parsed like a body and passed on unchanged', (t) => {
  fc.assert(
    fc.property(object, (text) => {
      const body = readAsBody(text);
      try {
        const { message, fault } = readMessage(withArguments(text), RECORD_JSON);
        if (fault !== undefined) return t.true('fault' in body && fault.message.endsWith(body.fault), text);
        const { arguments: read } = readParams(message['params']);
        t.deepEqual(readAsBody(JSON.stringify(read)), body, text);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        t.true('fault' in body, text);
      }
      return undefined;
    }),
    { numRuns: runs(500) },
  );
});

test('a fault in the arguments is an error of the tool, with a pointer from their root', (t) => {
  const { fault } = readMessage(withArguments('{"plan":{"steps":[{"min":0.99999999999999999999}]}}'), RECORD_JSON);
  t.is(fault?.message, '/plan/steps/0/min: a number has more digits than a double holds: send it as a string');
});

test('a fault outside the arguments, or one that makes the message ambiguous, is an error of the message', (t) => {
  for (const text of [
    '{"jsonrpc":"2.0","id":1.00000000000000000001,"method":"ping"}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\\u0000","arguments":{}}}',
    withArguments('{"a":1,"a":2}'),
    withArguments('{"a":0.5,"b":1,"b":2}'),
    `${withArguments('{}')} {}`,
    `\ufeff${withArguments('{}')}`,
  ]) {
    t.throws(() => readMessage(text, RECORD_JSON), { code: 'INVALID_JSON' }, text);
  }
});

test('arguments may be nested as deeply as a body, and no deeper', (t) => {
  const nested = (depth: number) => withArguments(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);
  t.is(readMessage(nested(64), RECORD_JSON).fault, undefined);
  t.throws(() => readMessage(nested(65), RECORD_JSON), { code: 'INVALID_JSON' });
});
