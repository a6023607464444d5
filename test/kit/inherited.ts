/**
 * The variables that the product's processes inherit from a test. The compile cache makes starts faster,
 * missing keys are made, and the name of the run lets the next run end what a killed one left.
 */
export const INHERITED: NodeJS.ProcessEnv = {
  PATH: process.env['PATH'],
  CREATE_KEYS: 'true',
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
  TOLLHOUSE_TEST_RUN: process.env['TOLLHOUSE_TEST_RUN'],
};
