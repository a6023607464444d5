export const select = {
  request: {
    scale: 2,
    items: [
      { id: 'a', values: { price: '30.00', saved: '12.00' } },
      { id: 'b', values: { price: '45.00', saved: '20.00' } },
      { id: 'c', values: { price: '50.00', saved: '19.50' } },
    ],
    capacities: [{ of: 'price', max: '80.00' }],
    at_most_one: [['b', 'c']],
    objectives: [{ of: 'saved', direction: 'maximize' }],
  },
  answer: {
    outcome: 'optimal',
    value_proven: true,
    chosen: ['a', 'b'],
    totals: { price: '75.00', saved: '32.00' },
    core: [],
    best_bound: '32.00',
    nodes: 2,
  },
};
