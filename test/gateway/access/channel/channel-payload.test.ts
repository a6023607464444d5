import test from 'ava';
import { isChannelPayment, readChannelPayload } from '../../../../gateway/access/channel/channel-payload.ts';
import { AppError } from '../../../../gateway/errors/app-error.ts';
import { setAt } from '../../../kit/set-at.ts';

const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const CONFIG = {
  payer: ADDRESS,
  payerAuthorizer: ADDRESS,
  receiver: ADDRESS,
  receiverAuthorizer: ADDRESS,
  token: ADDRESS,
  withdrawDelay: 86_400,
  salt: `0x${'A0'.repeat(32)}`,
};
const VOUCHER = { channelId: `0x${'B1'.repeat(32)}`, maxClaimableAmount: '3000', signature: `0x${'C2'.repeat(65)}` };
const AUTHORIZATION = {
  validAfter: '0',
  validBefore: '1900000000',
  salt: `0x${'d3'.repeat(32)}`,
  signature: `0x${'e4'.repeat(65)}`,
};
const COMMON = { channelConfig: CONFIG, voucher: VOUCHER };
const PAYLOADS = {
  voucher: { type: 'voucher', ...COMMON },
  deposit: {
    type: 'deposit',
    ...COMMON,
    deposit: { amount: '30000', authorization: { erc3009Authorization: AUTHORIZATION } },
  },
  refund: { type: 'refund', ...COMMON, amount: '100' },
};
type Type = keyof typeof PAYLOADS;

const paymentOf = (type: Type) => ({
  x402Version: 2,
  resource: { url: 'http://127.0.0.1/' },
  accepted: {
    scheme: 'batch-settlement',
    network: 'eip155:31337',
    amount: '3000',
    asset: ADDRESS,
    payTo: ADDRESS,
    maxTimeoutSeconds: 180,
    extra: { receiverAuthorizer: ADDRESS, withdrawDelay: 86_400, minDeposit: '30000', channelState: {} },
  },
  payload: structuredClone(PAYLOADS[type]),
});

test('reads every type, in lower case', (t) => {
  const lower = ADDRESS.toLowerCase();
  const expected = {
    config: {
      payer: lower,
      payerAuthorizer: lower,
      receiver: lower,
      receiverAuthorizer: lower,
      token: lower,
      withdrawDelaySeconds: 86_400,
      salt: `0x${'a0'.repeat(32)}`,
    },
    channelId: `0x${'b1'.repeat(32)}`,
    cumulativeMicroUsd: 3000n,
    signature: `0x${'c2'.repeat(65)}`,
  };
  t.like(readChannelPayload(paymentOf('voucher')), { payload: { ...expected, intent: { type: 'voucher' } } });
  t.like(readChannelPayload(paymentOf('deposit')), { payload: { ...expected, intent: { type: 'deposit' } } });
  t.like(readChannelPayload(paymentOf('refund')), { payload: { intent: { type: 'refund', amountMicroUsd: 100n } } });
});

test('a refund may be of all that is left, before anything was charged', (t) => {
  const payment = paymentOf('refund');
  setAt(payment, ['payload', 'amount'], undefined);
  setAt(payment, ['payload', 'voucher', 'maxClaimableAmount'], '0');
  t.like(readChannelPayload(payment), { payload: { cumulativeMicroUsd: 0n, intent: { type: 'refund' } } });
});

test('the scheme of the accepted offer decides', (t) => {
  t.true(isChannelPayment(paymentOf('voucher')));
  t.false(isChannelPayment({ accepted: { scheme: 'exact' }, payload: PAYLOADS.voucher }));
  t.false(isChannelPayment({ accepted: null }));
  t.false(isChannelPayment({}));
});

/** What is taken although the reference has no such member: the type, the path in the payment, and the value there. */
const TAKEN: readonly (readonly [Type, string, unknown])[] = [
  ['voucher', 'extensions', null],
  ['voucher', 'resource', null],
  ['voucher', 'memo', null],
  ['voucher', 'accepted.extra', null],
  ['voucher', 'accepted.memo', 'hello'],
  ['voucher', 'payload.memo', { text: 'hello' }],
  ['voucher', 'payload.deposit', null],
  ['voucher', 'payload.amount', null],
  ['deposit', 'payload.memo', null],
  ['deposit', 'payload.deposit.memo', 'hello'],
  ['deposit', 'payload.deposit.authorization.permit2Authorization', null],
  ['refund', 'payload.memo', 'hello'],
  ['refund', 'payload.claims', null],
];

for (const [type, path, value] of TAKEN) {
  test(`taken: a ${type} whose ${path} is ${JSON.stringify(value)}`, (t) => {
    const payment = paymentOf(type);
    setAt(payment, path.split('.'), value);
    t.deepEqual(readChannelPayload(payment), readChannelPayload(paymentOf(type)));
  });
}

test('a refund whose amount is null is of all that is left', (t) => {
  const payment = paymentOf('refund');
  setAt(payment, ['payload', 'amount'], null);
  t.deepEqual(
    readChannelPayload(payment),
    readChannelPayload({ ...payment, payload: { ...PAYLOADS.refund, amount: undefined } }),
  );
});

/** What is malformed: the type, the path in the payload, and the value there; undefined removes it. */
const MALFORMED: readonly (readonly [string, Type, string, unknown])[] = [
  ['no payload', 'voucher', '', undefined],
  ['a list as payload', 'voucher', '', []],
  ['a payload in text', 'voucher', '', 'voucher'],
  ['no type', 'voucher', 'type', undefined],
  ['a numeric type', 'voucher', 'type', 1],
  ['no configuration', 'voucher', 'channelConfig', undefined],
  ['null as configuration', 'voucher', 'channelConfig', null],
  ['no payer', 'voucher', 'channelConfig.payer', undefined],
  ['a short payer', 'voucher', 'channelConfig.payer', '0x1234'],
  ['a payer without prefix', 'voucher', 'channelConfig.payer', ADDRESS.slice(2)],
  ['a payer that is not hexadecimal', 'voucher', 'channelConfig.payer', `0x${'g'.repeat(40)}`],
  ['no authorizer of the payer', 'voucher', 'channelConfig.payerAuthorizer', undefined],
  ['a numeric receiver', 'voucher', 'channelConfig.receiver', 1],
  ['a long authorizer of the receiver', 'voucher', 'channelConfig.receiverAuthorizer', `${ADDRESS}00`],
  ['an empty token', 'voucher', 'channelConfig.token', ''],
  ['a delay in text', 'voucher', 'channelConfig.withdrawDelay', '86400'],
  ['a delay with a fraction', 'voucher', 'channelConfig.withdrawDelay', 86_400.5],
  ['a negative delay', 'voucher', 'channelConfig.withdrawDelay', -1],
  ['a delay beyond uint40', 'voucher', 'channelConfig.withdrawDelay', 2 ** 40],
  ['no delay', 'voucher', 'channelConfig.withdrawDelay', undefined],
  ['a salt of 31 bytes', 'voucher', 'channelConfig.salt', `0x${'1'.repeat(62)}`],
  ['a numeric salt', 'voucher', 'channelConfig.salt', 0],
  ['an unknown field of the configuration', 'voucher', 'channelConfig.memo', 'hello'],
  ['no voucher', 'voucher', 'voucher', undefined],
  ['a list as voucher', 'voucher', 'voucher', [VOUCHER]],
  ['a numeric channel', 'voucher', 'voucher.channelId', 7],
  ['a numeric sum', 'voucher', 'voucher.maxClaimableAmount', 3000],
  ['a negative sum', 'voucher', 'voucher.maxClaimableAmount', '-3000'],
  ['a sum with a leading zero', 'voucher', 'voucher.maxClaimableAmount', '03000'],
  ['a sum in hexadecimal', 'voucher', 'voucher.maxClaimableAmount', '0xbb8'],
  ['a sum with a fraction', 'voucher', 'voucher.maxClaimableAmount', '3000.0'],
  ['a sum with an exponent', 'voucher', 'voucher.maxClaimableAmount', '3e3'],
  ['an empty sum', 'voucher', 'voucher.maxClaimableAmount', ''],
  ['a sum of 2^128', 'voucher', 'voucher.maxClaimableAmount', String(2n ** 128n)],
  ['a sum of 50 digits', 'voucher', 'voucher.maxClaimableAmount', '9'.repeat(50)],
  ['a voucher for nothing', 'voucher', 'voucher.maxClaimableAmount', '0'],
  ['no signature', 'voucher', 'voucher.signature', undefined],
  ['an empty signature', 'voucher', 'voucher.signature', '0x'],
  ['a signature of half bytes', 'voucher', 'voucher.signature', `0x${'1'.repeat(129)}`],
  ['a signature that is not hexadecimal', 'voucher', 'voucher.signature', `0x${'g'.repeat(130)}`],
  ['a signature as an object', 'voucher', 'voucher.signature', { r: '0x', s: '0x', v: 27 }],
  ['an unknown field of the voucher', 'voucher', 'voucher.salt', '1'],
  ['a deposit in a voucher payment', 'voucher', 'deposit', PAYLOADS.deposit.deposit],
  ['an amount in a voucher payment', 'voucher', 'amount', '1'],
  ['no deposit', 'deposit', 'deposit', undefined],
  ['a deposit in text', 'deposit', 'deposit', '30000'],
  ['no amount of the deposit', 'deposit', 'deposit.amount', undefined],
  ['a numeric amount of the deposit', 'deposit', 'deposit.amount', 30_000],
  ['a deposit of 2^128', 'deposit', 'deposit.amount', String(2n ** 128n)],
  ['no authorization', 'deposit', 'deposit.authorization', undefined],
  ['null as authorization', 'deposit', 'deposit.authorization', null],
  ['two authorizations', 'deposit', 'deposit.authorization.permit2Authorization', {}],
  ['an authorization in a list', 'deposit', 'deposit.authorization.erc3009Authorization', [AUTHORIZATION]],
  ['a numeric time', 'deposit', 'deposit.authorization.erc3009Authorization.validBefore', 1_900_000_000],
  ['no salt of the authorization', 'deposit', 'deposit.authorization.erc3009Authorization.salt', undefined],
  ['no signature of the authorization', 'deposit', 'deposit.authorization.erc3009Authorization.signature', undefined],
  ['an unknown field of the authorization', 'deposit', 'deposit.authorization.erc3009Authorization.nonce', '0x'],
  ['a numeric amount of the refund', 'refund', 'amount', 100],
  ['a refund of 2^128', 'refund', 'amount', String(2n ** 128n)],
  ['the claims of a facilitator', 'refund', 'claims', []],
];

const FIELDS = ['network', 'amount', 'asset', 'payTo'];

for (const [what, type, path, value] of MALFORMED) {
  test(`malformed: ${what}`, (t) => {
    const payment = paymentOf(type);
    setAt(payment, ['payload', ...path.split('.').filter((key) => key !== '')], value);
    const error = t.throws(() => readChannelPayload(payment), { instanceOf: AppError });
    t.is(error.code, 'MALFORMED_PAYMENT');
    t.regex(error.message, /^payload/);
    t.true(error.message.length < 200, error.message);
  });
}

for (const field of FIELDS) {
  for (const value of [undefined, 3000, null]) {
    test(`malformed: ${field} of the accepted offer is ${JSON.stringify(value)}`, (t) => {
      const payment = paymentOf('voucher');
      setAt(payment, ['accepted', field], value);
      const error = t.throws(() => readChannelPayload(payment), { instanceOf: AppError });
      t.is(error.code, 'MALFORMED_PAYMENT');
      t.regex(error.message, /^accepted/);
    });
  }
}

const REFUSED: readonly (readonly [string, Type, string, unknown, string])[] = [
  ['a claim', 'voucher', 'type', 'claim', 'payload_type'],
  ['a settlement', 'voucher', 'type', 'settle', 'payload_type'],
  ['a channel id of 31 bytes', 'voucher', 'voucher.channelId', `0x${'1'.repeat(62)}`, 'channel_id_invalid'],
  ['a channel id in text', 'voucher', 'voucher.channelId', 'channel', 'channel_id_invalid'],
  [
    'a deposit by Permit2',
    'deposit',
    'deposit.authorization',
    { permit2Authorization: {} },
    'erc3009_authorization_required',
  ],
  ['a deposit without a method', 'deposit', 'deposit.authorization', {}, 'erc3009_authorization_required'],
  [
    'a deposit whose method is null',
    'deposit',
    'deposit.authorization.erc3009Authorization',
    null,
    'erc3009_authorization_required',
  ],
];

for (const [what, type, path, value, reason] of REFUSED) {
  test(`refused: ${what}`, (t) => {
    const payment = paymentOf(type);
    setAt(payment, ['payload', ...path.split('.')], value);
    t.deepEqual(readChannelPayload(payment) as object, { refused: `invalid_batch_settlement_evm_${reason}` });
  });
}
