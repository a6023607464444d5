import type { PlantedFile } from './planted-function.ts';

export const EARNINGS: PlantedFile = {
  file: 'earnings.sql',
  tests: ['ledger/store/earnings'],
  faults: {
    earning_events: [
      ['trials are income', 'WHERE e.day IS NULL AND e.at >= since', 'WHERE e.at >= since'],
      ['a day counts twice', 'c.settled_at >= since AND c.settled_at < until', 'c.settled_at >= since'],
      ['charges are settled', 'sum(e.amount)::bigint, 0, 0, 0', 'sum(e.amount)::bigint, sum(e.amount)::bigint, 0, 0'],
      ['gas of others is known', 'WHERE NOT EXISTS (\n', 'WHERE false AND NOT EXISTS (\n'],
      ['gas costs nothing', 'coalesce(sum(t.cost_wei), 0)', '0'],
      ['claims settle nothing', 'sum(k.amount)::bigint', '0'],
    ],
    sum_earnings: [
      ['today is summed', 'least(ledger.clock(), now_at)) - 1', 'least(ledger.clock(), now_at)) + 1'],
      ['the clock of the server decides', 'least(ledger.clock(), now_at)', 'ledger.clock()'],
      ['days are summed again', 'UPDATE ledger.earning_watermark w SET summed_until = until;', ''],
      ['nothing is summed', 'IF since >= until THEN', 'IF true THEN'],
    ],
    earnings: [
      ['lost payments are income', 'WHERE c.lost_at IS NOT NULL', 'WHERE false'],
      ['refunds are forgotten', '0, 0, 0, 0, r.amount, 0, 0', '0, 0, 0, 0, 0, 0, 0'],
      ['claimed charges can be claimed', ' - f.total_claimed, 0)', ', 0)'],
      ['more than the balance can be claimed', 'least(k.charged, f.balance)', 'k.charged'],
      ['sums are forgotten', 'FROM ledger.earning s\n', 'FROM ledger.earning s WHERE false\n'],
      ['recent calls are forgotten', "'infinity') e", "'-infinity') e"],
    ],
  },
};
