import test from 'ava';
import { type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { CheckArguments } from '../../../services/verification/contract/arguments.ts';
import { ComposeSheetsArguments } from '../../../services/verification/contract/sheets.ts';
import { PlanDocument } from '../../../workers/exact/plan-schema.ts';
import { shapeFault } from '../../../workers/exact/shape-fault.ts';
import { REFUND_PLAN } from '../../models/refund-plan.ts';

const PLAN_ID = '01a1ff10-ab22-7009-9a2f-8dff3c2533c4';
const action = { step_id: 'pay', tool: 'pay.refund', tool_version: '2.1.0', args: {} };
const proposal = { plan_id: PLAN_ID, plan_hash: '0'.repeat(64), mode: 'complete', actions: [action] };
const sheet = { name: 'a', version: '1.0.0', sha256: '0'.repeat(64) };
const [tool] = REFUND_PLAN.tools;
const closed = { additionalProperties: false };
const Nested = Type.Object(
  {
    shape: Type.Union([
      Type.Object({ circle: Type.Union([Type.Object({ radius: Type.String() }, closed), Type.Null()]) }, closed),
      Type.Object({ side: Type.String(), height: Type.String() }, closed),
    ]),
  },
  closed,
);

const FAULTS: readonly (readonly [string, TSchema, unknown, string, RegExp])[] = [
  [
    'an action without args',
    CheckArguments,
    { ...proposal, actions: [action, { ...action, args: undefined }] },
    '/actions/1/args',
    /^is missing$/,
  ],
  [
    'many actions without args',
    CheckArguments,
    { ...proposal, actions: Array.from({ length: 20 }, () => ({ ...action, args: undefined })) },
    '/actions/0/args',
    /^is missing$/,
  ],
  ['a proposal without its mode', CheckArguments, { ...proposal, mode: undefined }, '/mode', /^is missing$/],
  ['an unknown mode', CheckArguments, { ...proposal, mode: 'all' }, '/mode', /allowed|equal|enum/],
  ['a malformed id', CheckArguments, { execution_id: 'x' }, '/execution_id', /pattern/],
  ['both forms', CheckArguments, { ...proposal, execution_id: PLAN_ID }, '/execution_id', /^is not a known property$/],
  [
    'an unknown property next to an execution',
    CheckArguments,
    { execution_id: PLAN_ID, x: 1 },
    '/x',
    /^is not a known property$/,
  ],
  ['neither form', CheckArguments, {}, '', /plan_id, plan_hash, mode, actions, or .*execution_id/],
  [
    'a malformed name to save under',
    ComposeSheetsArguments,
    { sheets: [sheet], save_as: { name: 'a b', version: '1.0.0' } },
    '/save_as/name',
    /pattern/,
  ],
  [
    'a name to save under without its name',
    ComposeSheetsArguments,
    { sheets: [sheet], save_as: {} },
    '/save_as/name',
    /^is missing$/,
  ],
  [
    'a name to save under that is a string',
    ComposeSheetsArguments,
    { sheets: [sheet], save_as: 'a' },
    '/save_as',
    /object, or .*null/,
  ],
  [
    'an identity with a space',
    PlanDocument,
    { ...REFUND_PLAN, tools: [{ ...tool, identity: 'a b' }] },
    '/tools/0/identity',
    /pattern/,
  ],
  [
    'a predecessor that is a number',
    PlanDocument,
    { ...REFUND_PLAN, supersedes: 1 },
    '/supersedes',
    /string, or .*null/,
  ],
  ['a fault outside a union', PlanDocument, { ...REFUND_PLAN, supersedes: 1, title: '' }, '/title', /./],
  ['a nested union', Nested, { shape: { circle: { radius: 1 } } }, '/shape/circle/radius', /string/],
  ['an unknown property in a nested union', Nested, { shape: { circle: { r: '1' } } }, '/shape/circle/r', /known/],
  ['a fault in the other branch of a union', Nested, { shape: { side: '1' } }, '/shape/height', /^is missing$/],
];

for (const [title, schema, value, path, message] of FAULTS) {
  test(`${title} is reported at ${path || 'the document itself'}`, (t) => {
    // Serialized as a request is, which drops undefined properties.
    const faults = Compile(schema).Errors(JSON.parse(JSON.stringify(value)))[1];
    t.true(faults.length > 0);
    const fault = shapeFault(faults);
    t.is(fault.path, path, fault.message);
    t.regex(fault.message, message);
  });
}

test('a missing property with a slash in its name is escaped', (t) => {
  const schema = Type.Object({ 'a/b~c': Type.String() });
  t.is(shapeFault(Compile(schema).Errors({})[1]).path, '/a~1b~0c');
});
