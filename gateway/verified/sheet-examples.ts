import { hash } from './examples.ts';

const CREATED_AT = '2026-11-21T12:00:00.000000Z';

const CAP = {
  sheet_format: 1,
  name: 'refund-cap',
  version: '1.0.0',
  title: 'No more is refunded than a cap',
  variables: {
    cap: { type: 'decimal', scale: 2, min: '0.00', max: '500.00' },
    refunded: { type: 'decimal', scale: 2, min: '0.00' },
  },
  constraints: [{ id: 'within', expr: ['<=', ['var', 'refunded'], ['var', 'cap']] }],
};

const CAP_REF = { name: 'refund-cap', version: '1.0.0', sha256: hash('6') };
const SHIPPED_REF = { name: 'tollhouse.quota', version: '1.0.0', sha256: hash('7') };
const LISTED = { ...CAP_REF, title: CAP.title, origin: 'tenant' };

const BOTH = {
  ...CAP,
  name: 'refunds',
  title: 'Refunds within a cap and a quota',
  variables: {
    ...CAP.variables,
    asked: { type: 'int', min: '0' },
    quota: { type: 'int', min: '0' },
    used: { type: 'int', min: '0' },
  },
  constraints: [
    ...CAP.constraints,
    { id: 'within-quota', expr: ['<=', ['+', ['var', 'used'], ['var', 'asked']], ['var', 'quota']] },
  ],
};

export const sheets = {
  sheets: [
    LISTED,
    { ...SHIPPED_REF, title: 'What is used and what is asked for keep within a quota', origin: 'shipped' },
  ],
};

export const sheet = { ...LISTED, created_at: CREATED_AT, sheet: CAP };

export const createSheet = { request: { sheet: CAP }, answer: { ...LISTED, created_at: CREATED_AT, lint: [] } };

export const composeSheets = {
  request: { sheets: [CAP_REF, SHIPPED_REF], save_as: { name: 'refunds', version: '1.0.0', title: BOTH.title } },
  answer: {
    outcome: 'consistent',
    sheet: BOTH,
    sha256: hash('8'),
    witness: { asked: '0', cap: '0.00', quota: '0', refunded: '0.00', used: '0' },
    core: [],
    redundant: [],
    bounds: {
      asked: { min: '0', max: null },
      cap: { min: '0.00', max: '500.00' },
      quota: { min: '0', max: null },
      refunded: { min: '0.00', max: '500.00' },
      used: { min: '0', max: null },
    },
    saved: true,
  },
};
