/** A description of a transfer of money, with changes to some of its members. */
export const transfer = (changes: object = {}) => ({
  tool_format: 2,
  name: 'bank.transfer',
  version: '1.0.0',
  effect: 'revenue_write',
  replay: 'recorded',
  args: {
    invoice: { type: 'string', max: 64 },
    payee: { type: 'string', max: 64 },
    amount: { type: 'decimal', scale: 2 },
  },
  responds: { id: { type: 'string', max: 64, at: '/id' } },
  state: {},
  effects: {},
  observe: {},
  identity: 'id',
  post: [],
  limits: [],
  ...changes,
});

/** A description of a tool that only reads. */
export const reader = (changes: object = {}) =>
  transfer({
    name: 'crm.read',
    effect: 'none',
    args: { id: { type: 'string', max: 64 } },
    responds: { name: { type: 'string', max: 64, at: '/name' } },
    identity: null,
    ...changes,
  });

export const daily = (changes: object = {}) => ({
  id: 'daily',
  of: 'amount',
  per: null,
  within: 'day',
  most: '1000.00',
  ...changes,
});
