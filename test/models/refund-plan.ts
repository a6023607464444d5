/**
 * One refund of at most 100.00: look up the order, then pay the refundable amount in one or two payments. It describes its
 * tools itself, so that the solver needs no catalogue. `REFUND_TOOL` is the payment of a catalogue.
 */
export const REFUND_PLAN = {
  plan_format: 2,
  title: 'Refund order A1',
  expires_at: '2026-12-01T00:00:00.000000Z',
  max_executions: 1,
  max_recorded: 1,
  supersedes: null,
  approvals: 1,
  variables: { cap: { type: 'decimal', scale: 2, value: '100.00' } },
  tables: {},
  state: { refundable: { type: 'decimal', scale: 2, initial: '80.00' } },
  tools: [
    {
      name: 'order.get',
      version: '1.0.0',
      effect: 'none',
      replay: 'recorded',
      args: { order_id: { type: 'string', max: 64 } },
      responds: { total: { type: 'decimal', scale: 2, at: '/total' } },
      effects: {},
      observe: {},
      identity: null,
      post: [],
    },
    {
      name: 'pay.refund',
      version: '2.1.0',
      effect: 'none',
      replay: 'effects',
      args: { order_id: { type: 'string', max: 64 }, amount: { type: 'decimal', scale: 2 } },
      responds: {
        id: { type: 'string', max: 64, at: '/id' },
        left: { type: 'decimal', scale: 2, at: '/left' },
      },
      effects: { refundable: ['-', ['state', 'refundable'], ['arg', 'amount']] },
      observe: { refundable: 'left' },
      identity: 'id',
      post: [],
    },
  ],
  steps: [
    {
      step_id: 'look',
      tool: 'order.get@1.0.0',
      where: [{ id: 'order', expr: ['=', ['arg', 'order_id'], ['str', 'A1']] }],
      after: [],
      effects: {},
      min: 1,
      max: 1,
      evidence: [],
    },
    {
      step_id: 'pay',
      tool: 'pay.refund@2.1.0',
      where: [
        { id: 'order', expr: ['=', ['arg', 'order_id'], ['str', 'A1']] },
        { id: 'positive', expr: ['>', ['arg', 'amount'], ['dec', '0.00']] },
      ],
      after: [{ step: 'look', at_least: 1 }],
      effects: {},
      min: 1,
      max: 2,
      evidence: [
        {
          kind: 'receipt',
          media_types: ['application/json'],
          max_bytes: 65_536,
          min: 1,
          max: 1,
          reads: {
            amount: { type: 'decimal', scale: 2, at: '/amount' },
            id: { type: 'string', max: 64, at: '/id' },
          },
          binds: [
            { id: 'amount', expr: ['=', ['ev', 'amount'], ['arg', 'amount']] },
            { id: 'id', expr: ['=', ['ev', 'id'], ['resp', 'id']] },
          ],
        },
      ],
    },
  ],
  constraints: [
    { id: 'cap', expr: ['<=', ['sum', 'pay', 'p', ['arg', 'p', 'amount']], ['var', 'cap']] },
    { id: 'whole', expr: ['=', ['final', 'refundable'], ['dec', '0.00']] },
  ],
  sheets: [],
};
