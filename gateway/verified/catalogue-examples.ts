const CREATED_AT = '2026-11-21T12:00:00.000000Z';
const ENDS_AT = '2026-11-22T00:00:00.000000Z';

const TEXT = { type: 'string', max: 64 };
const MONEY = { type: 'decimal', scale: 2 };
const DAILY = { id: 'daily', of: 'amount', per: null, within: 'day', most: '5000.00' };

const COMMON = { tool_format: 2, observe: {}, effects: {}, state: {}, post: [], limits: [] };

/** Reads an order. */
export const ORDER = {
  ...COMMON,
  name: 'order.get',
  version: '1.0.0',
  effect: 'none',
  replay: 'recorded',
  args: { order: TEXT },
  responds: { total: { ...MONEY, min: '0.00', at: '/total' } },
  identity: null,
};

/** Refunds an order, at most 5,000.00 a day. */
export const REFUND = {
  ...COMMON,
  name: 'pay.refund',
  version: '2.1.0',
  effect: 'revenue_write',
  replay: 'effects',
  args: { order: TEXT, amount: MONEY },
  responds: { id: { ...TEXT, at: '/id' }, left: { ...MONEY, at: '/left' } },
  identity: 'id',
  state: { refundable: MONEY },
  effects: { refundable: ['-', ['state', 'refundable'], ['arg', 'amount']] },
  observe: { refundable: 'left' },
  limits: [DAILY],
};

export const REFUND_SHA256 = '643b75d623a16490e0a8b48f8e11e0de07cdf356a40166150626096488535b7e';

const LISTED = {
  name: REFUND.name,
  version: REFUND.version,
  sha256: REFUND_SHA256,
  effect: REFUND.effect,
  origin: 'tenant',
  limits: [{ ...DAILY, used: '0.00', left: '5000.00', window_ends_at: ENDS_AT }],
};

export const tools = { tools: [LISTED] };

export const tool = { ...LISTED, created_at: CREATED_AT, tool: REFUND };

export const createTool = { request: { tool: REFUND }, answer: tool };

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
