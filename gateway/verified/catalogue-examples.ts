const CREATED_AT = '2026-11-21T12:00:00.000000Z';
const ENDS_AT = '2026-11-22T00:00:00.000000Z';

const DAILY = { id: 'daily', of: 'amount', per: null, within: 'day', most: '50000.00' };

/** A transfer of money, at most 50,000.00 a day. */
export const TRANSFER = {
  tool_format: 2,
  name: 'bank.transfer',
  version: '2.0.0',
  effect: 'revenue_write',
  replay: 'recorded',
  args: {
    invoice: { type: 'string', max: 64 },
    payee: { type: 'string', max: 64 },
    amount: { type: 'decimal', scale: 2, min: '0.01', max: '100000.00' },
  },
  responds: { id: { type: 'string', max: 64, at: '/id' } },
  state: {},
  effects: {},
  observe: {},
  identity: 'id',
  post: [],
  limits: [DAILY],
};

const LISTED = {
  name: TRANSFER.name,
  version: TRANSFER.version,
  sha256: '913234e650494663542751f7f4dc1b9fb78e209384b6e0bcaac792f6a4e426c2',
  effect: TRANSFER.effect,
  origin: 'tenant',
  limits: [{ ...DAILY, used: '0.00', left: '50000.00', window_ends_at: ENDS_AT }],
};

export const tools = { tools: [LISTED] };

export const tool = { ...LISTED, created_at: CREATED_AT, tool: TRANSFER };

export const createTool = { request: { tool: TRANSFER }, answer: tool };

/** Approved invoices. */
export const TABLE = [
  '{"invoice":"A1","payee":"Example Ltd","amount":"80.00"}',
  '{"invoice":"A2","payee":"Sample plc","amount":"120.50"}',
  '',
].join('\n');

export const createTable = {
  request: TABLE,
  answer: {
    sha256: '0bb33c6021eef6caded992ca41021a2ecd42da2c439cbf8ba4c8be779472aa17',
    rows: 2,
    size: TABLE.length,
    columns: ['amount', 'invoice', 'payee'],
    created_at: CREATED_AT,
  },
};
