import test from 'ava';
import { isWithinOneEdit } from '../../../../services/verification/catalogue/one-edit-apart.ts';

test('finds that two texts are at most one edit apart', (t) => {
  const others = ['payout', 'paout', 'payoutt', 'apayout', 'paxout', 'apyout', 'payotu', 'ayout', 'payou', 'payour'];
  for (const other of others) {
    t.true(isWithinOneEdit('payout', other), other);
    t.true(isWithinOneEdit(other, 'payout'), other);
  }
  t.true(isWithinOneEdit('', 'a'));
  t.true(isWithinOneEdit('aa', 'aaa'));
});

test('finds that two texts are more than one edit apart', (t) => {
  for (const other of ['paot', 'payoutxx', 'xpayoux', 'uayopt', 'yapout1', 'apyotu', 'pyaout2', '']) {
    t.false(isWithinOneEdit('payout', other), other);
    t.false(isWithinOneEdit(other, 'payout'), other);
  }
  t.false(isWithinOneEdit('abc', 'bca'));
});
