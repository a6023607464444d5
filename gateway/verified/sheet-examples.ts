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

const LISTED = {
  name: CAP.name,
  version: CAP.version,
  sha256: 'a5bfbd9792b1f45e9356db8579506539f2d1bb37c8130683bcfe516647c79d6a',
  title: CAP.title,
  origin: 'tenant',
};

/** Sheets that come with the service: what names them works as it is written here. */
const SPEND_CAP_REF = {
  name: 'tollhouse.spend-cap',
  version: '1.0.0',
  sha256: 'ff3bfd34326875a087203f5c0433307fd3aaa86dd46e2d4e7eb60b5a46ad82d0',
};
const QUOTA_REF = {
  name: 'tollhouse.quota',
  version: '1.0.0',
  sha256: 'fd07f3096fb41a84f826dd8324491ff191be52f2da5020f3df503ae5021172df',
};
const QUOTA = {
  sheet_format: 1,
  name: QUOTA_REF.name,
  version: QUOTA_REF.version,
  title: 'What is used and what is asked for keep within a quota',
  variables: { asked: { type: 'int', min: 0 }, quota: { type: 'int', min: 0 }, used: { type: 'int', min: 0 } },
  constraints: [{ id: 'within-quota', expr: ['<=', ['+', ['var', 'used'], ['var', 'asked']], ['var', 'quota']] }],
};
const QUOTA_LISTED = { ...QUOTA_REF, title: QUOTA.title, origin: 'shipped' };

export const sheets = { sheets: [LISTED, QUOTA_LISTED] };

export const sheet = { ...QUOTA_LISTED, created_at: null, sheet: QUOTA };

export const createSheet = { request: { sheet: CAP }, answer: { ...LISTED, created_at: CREATED_AT, lint: [] } };

const BOTH = {
  sheet_format: 1,
  name: 'spending',
  version: '1.0.0',
  title: 'Spending within a cap and a quota',
  variables: {
    asked: { type: 'int', min: '0' },
    cap: { type: 'decimal', scale: 2, min: '0.00' },
    quota: { type: 'int', min: '0' },
    spent: { type: 'decimal', scale: 2 },
    used: { type: 'int', min: '0' },
  },
  constraints: [
    { id: 'not-negative', expr: ['>=', ['var', 'spent'], ['dec', '0.00']] },
    { id: 'within-cap', expr: ['<=', ['var', 'spent'], ['var', 'cap']] },
    ...QUOTA.constraints,
  ],
};

export const composeSheets = {
  request: {
    sheets: [SPEND_CAP_REF, QUOTA_REF],
    save_as: { name: BOTH.name, version: BOTH.version, title: BOTH.title },
  },
  answer: {
    outcome: 'consistent',
    sheet: BOTH,
    sha256: 'e8bde86723c69a630acd8de3b253405d8d1004ae14857104ab7fb73416e3c424',
    witness: { asked: '0', cap: '0.00', quota: '0', spent: '0.00', used: '0' },
    core: [],
    redundant: [],
    saved: true,
  },
};
