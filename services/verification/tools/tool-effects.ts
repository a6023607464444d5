import type { PlanDocument } from '../../../workers/solver/plan/plan-schema.ts';
import { ConfigurationError } from '../../shared/environment.ts';

export const EFFECTS = ['none', 'write', 'revenue_write'] as const;
export type Effect = (typeof EFFECTS)[number];

/** What a tool does at the least, by its name. */
export type ToolEffects = (tool: string) => Effect;

const ENTRY = /^([A-Za-z0-9_.:-]{1,64})=(none|write|revenue_write)$/;

/**
 * The operator's list, such as `order.get=none,mail.send=write`. A tool that it does not name moves money, for all that
 * is known: who writes a plan cannot declare a payment harmless.
 * @throws {ConfigurationError}
 */
export function readToolEffects(list: string): ToolEffects {
  const entries = list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry): readonly [string, Effect] => {
      const [, name, effect] = ENTRY.exec(entry) ?? [];
      if (name === undefined || effect === undefined) {
        throw new ConfigurationError(
          `TOOL_EFFECTS: found ${JSON.stringify(entry)}; each entry is a tool and its effect, such as order.get=none`,
        );
      }
      return [name, effect as Effect];
    });
  const effects = new Map(entries);
  return (tool) => effects.get(tool) ?? 'revenue_write';
}

/** What an action does, as far as is known: as its plan declares the tool, which is at least what the operator says. */
export function effectOf(
  { tools }: PlanDocument,
  action: { readonly tool: string; readonly tool_version: string },
  toolEffects: ToolEffects,
): string {
  const tool = tools.find(({ name, version }) => name === action.tool && version === action.tool_version);
  return tool?.effect ?? toolEffects(action.tool);
}

export function isBelow(effect: Effect, least: Effect): boolean {
  return EFFECTS.indexOf(effect) < EFFECTS.indexOf(least);
}
