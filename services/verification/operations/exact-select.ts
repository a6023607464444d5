import { canonicalText } from '../../../workers/exact/canonical-json.ts';
import { SelectArguments } from '../contract/select.ts';
import { createArgumentsReader, malformed } from '../tenants/requests.ts';
import { defineRead } from './define.ts';

/**
 * Selects the best items exactly. Any key may ask, and nothing is stored.
 * @throws {ServiceError} INVALID_JSON, MALFORMED_INPUT
 */
export const exactSelect = defineRead(
  createArgumentsReader(SelectArguments),
  async ({ input, options }, { solver }) => {
    const answer = await solver.select({ selection: canonicalText(input) }, options);
    if (answer.fault === undefined) return canonicalText(answer.selection);
    throw malformed(answer.fault.path, answer.fault.message);
  },
);
