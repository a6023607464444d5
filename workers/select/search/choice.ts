/** Whether an item is settled to be chosen or not. */
export type Choice = 'open' | 'in' | 'out';
