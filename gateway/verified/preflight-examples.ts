import { hash, LOOK_DONE, PAY, PLAN_ID, SATISFIED } from './examples.ts';

export const preflight = {
  request: { plan_id: PLAN_ID, plan_hash: hash('1'), done: [LOOK_DONE], action: PAY },
  answer: {
    decision: 'allow',
    result: { ...SATISFIED, question: 'possible', engine: 'z3' },
    frozen: false,
    remaining: {
      steps: [{ step_id: 'pay', min: 0, max: 1 }],
      constraints: [
        { id: 'cap', slack: '20.00' },
        { id: 'whole', slack: null },
      ],
    },
    limits: [
      {
        id: 'daily',
        most: '5000.00',
        within: 'day',
        used: '0.00',
        reserved: '0.00',
        left: '5000.00',
        window_ends_at: '2026-11-22T00:00:00.000000Z',
      },
    ],
    checked_at: '2026-11-21T12:00:02.500000Z',
  },
};

export const reservation = {
  request: { plan_id: PLAN_ID, plan_hash: hash('1'), action: PAY },
  answer: {
    reservation_id: '019aa5d4-7c00-7000-8000-00000000000e',
    expires_at: '2026-11-21T12:10:02.500000Z',
  },
};
