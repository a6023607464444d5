import { canonicalText } from '../../workers/exact/canonical-json.ts';
import { defined } from '../../workers/exact/defined.ts';
import { hashToolText } from '../../workers/plan/read/read-tool.ts';
import { REFUND_PLAN } from './refund-plan.ts';

const [order, refund] = REFUND_PLAN.tools;
export const ORDER_TOOL = defined(order);

/** The payment of `REFUND_PLAN` as a catalogue describes it. */
export const REFUND_TOOL = {
  ...defined(refund),
  tool_format: 2,
  effect: 'revenue_write',
  state: { refundable: { type: 'decimal', scale: 2 } },
  limits: [],
};

/** Of a plan. */
export interface WithTools {
  readonly tools: readonly object[];
}

/** Moves the tools of a plan that have a `tool_format` to a catalogue. @returns the plan that names them, and their texts */
export function catalogued<Plan extends WithTools>(plan: Plan) {
  const described: string[] = [];
  const tools = plan.tools.map((tool) => {
    if (!('tool_format' in tool && 'name' in tool && 'version' in tool)) return tool;
    const text = canonicalText(tool);
    described.push(text);
    return { name: tool.name, version: tool.version, sha256: hashToolText(text) };
  });
  return { plan: { ...plan, tools }, tools: described };
}
