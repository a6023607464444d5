import test from 'ava';
import { ConfigurationError } from '../../../../services/platform/process/environment.ts';
import { foldToolName } from '../../../../services/verification/catalogue/fold-tool-name.ts';
import { type Effect, effectOf, readToolList } from '../../../../services/verification/catalogue/tool-list.ts';
import { REFUND_TOOL } from '../../../models/catalogued.ts';

const LIST = readToolList(
  'order.get=none, mail.send=write,pay.refund=revenue_write:/id,pay:out=revenue_write:/a~1b/0,',
);

test('a listed tool has its listed effect, and any other tool may move money', (t) => {
  t.is(LIST.effectOf('order.get'), 'none');
  t.is(LIST.effectOf('mail.send'), 'write');
  t.is(LIST.effectOf('pay.refund'), 'revenue_write');
  t.is(LIST.effectOf('order.put'), 'revenue_write');
});

test('the effect of an action is the higher of the effects in its plan and in the list', (t) => {
  const of = (effect: Effect, name: string) => {
    const action = { tool: name, tool_version: REFUND_TOOL.version };
    return effectOf([{ ...REFUND_TOOL, name, effect }], action, LIST);
  };
  t.is(of('write', 'pay.refund'), 'revenue_write');
  t.is(of('none', 'mail.send'), 'write');
  t.is(of('revenue_write', 'order.get'), 'revenue_write');
  t.is(of('none', 'order.get'), 'none');
});

test('the list says where the identity of an act is, whatever the case of the tool name', (t) => {
  t.is(LIST.identityAt('pay.refund', '1.0.0'), '/id');
  t.is(LIST.identityAt('Pay.Refund', '1.0.0'), '/id');
  t.is(LIST.identityAt('pay:out', '1.0.0'), '/a~1b/0');
  t.is(readToolList('pay.refund=revenue_write').identityAt('pay.refund', '1.0.0'), undefined);
  t.is(LIST.identityAt('other', '1.0.0'), undefined);
});

test('finds the listed name that another name can be mistaken for, and never reports a listed name', (t) => {
  for (const name of ['Pay.refund', 'pay_refund', 'PAY-REFUND', 'pay..refund', '.pay.refund', 'payrefund'])
    t.is(LIST.lookalikeOf(name), 'pay.refund', name);
  t.is(LIST.lookalikeOf('mai1.send'), 'mail.send');
  t.is(LIST.lookalikeOf('0rder.get'), 'order.get');
  t.is(LIST.lookalikeOf('pay.refund'), undefined);
  const both = readToolList('pay.refund=revenue_write:/id,pay_refund=revenue_write:/ref');
  t.is(both.lookalikeOf('pay_refund'), undefined);
  t.is(both.identityAt('pay_refund', '1.0.0'), '/ref');
});

test('a name that is one edit away from a listed tool that moves money can be mistaken for it', (t) => {
  for (const name of ['pay.refunds', 'pay.refnd', 'pay.refumd', 'pay.erfund', 'ay_refund']) {
    t.is(LIST.lookalikeOf(name), 'pay.refund', name);
  }
  for (const name of ['pay.refundss', 'order.gets', 'mail.sent']) t.is(LIST.lookalikeOf(name), undefined, name);
  const listed = readToolList('pay.refund=revenue_write:/id,pay.refunds=none');
  t.is(listed.lookalikeOf('pay.refunds'), undefined);
});

test('names that look alike have one folded form', (t) => {
  for (const name of ['Pay.Gift-01', 'pay_glft:Oi', 'PAY.GIFT.OL', '.pay..gift01-'])
    t.is(foldToolName(name), 'payglftol', name);
});

for (const list of [
  'pay.refund',
  'pay.refund=much',
  'pay.refund=revenue_write:id',
  'pay.refund=revenue_write:/a~2',
  'pay.refund=revenue_write:',
  'order.get=none:/id',
  'pay refund=none',
  'pay.refund=none,pay.refund=write',
  'pay.refund=none,Pay.refund=revenue_write',
]) {
  test(`refuses the list ${list} with a ConfigurationError`, (t) => {
    t.throws(() => readToolList(list), { instanceOf: ConfigurationError, message: /^TOOL_EFFECTS: / });
  });
}
