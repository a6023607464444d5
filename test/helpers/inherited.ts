/** What the product's processes get of a test's environment: without the second they start as well, later. */
export const INHERITED: NodeJS.ProcessEnv = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
};
