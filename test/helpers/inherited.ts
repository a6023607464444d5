/** The variables that the product's processes inherit from a test. The compile cache only makes starts faster. */
export const INHERITED: NodeJS.ProcessEnv = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
};
