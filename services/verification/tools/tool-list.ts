import type { PlanDocument } from '../../../workers/exact/plan-schema.ts';
import { ConfigurationError } from '../../platform/process/environment.ts';
import { foldToolName } from './fold-tool-name.ts';
import { isWithinOneEdit } from './one-edit-apart.ts';

const EFFECTS = ['none', 'write', 'revenue_write'] as const;
export type Effect = (typeof EFFECTS)[number];

/** The operator's list of tools. A plan may declare a higher effect than the list, and never a lower one. */
export interface ToolList {
  /** Least effect of a tool. A tool that is not listed may move money. */
  effectOf(name: string): Effect;
  /** JSON pointer to the identity of an action in the tool's response; undefined if the list has none. */
  identityAt(name: string): string | undefined;
  /** The listed name that an unlisted name is confusable with. For tools that move money, similar names count too. */
  lookalikeOf(name: string): string | undefined;
  has(name: string): boolean;
}

interface Listed {
  readonly name: string;
  readonly effect: Effect;
  readonly identityAt: string | undefined;
}

const ENTRY = /^([A-Za-z0-9_.:-]{1,64})=(none|write|revenue_write)(?::((?:\/(?:[^~/]|~[01])*)+))?$/;

/**
 * Reads the operator's list, such as `order.get=none,pay.refund=revenue_write:/id`. The pointer after `revenue_write`
 * tells where the response has the identity of the action, so that no plan can name another field.
 * @throws {ConfigurationError}
 */
export function readToolList(list: string): ToolList {
  const entries = list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map(readEntry);
  assertDistinct(entries);
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const byFoldedName = new Map(entries.map((entry) => [foldToolName(entry.name), entry]));
  const find = (name: string) => byName.get(name) ?? byFoldedName.get(foldToolName(name));
  const moneyNames = [...byFoldedName].filter(([, { effect }]) => effect === 'revenue_write');
  const findSimilar = (name: string) => {
    const folded = foldToolName(name);
    return moneyNames.find(([money]) => isWithinOneEdit(money, folded))?.[1];
  };
  return {
    effectOf: (name) => find(name)?.effect ?? 'revenue_write',
    identityAt: (name) => find(name)?.identityAt,
    lookalikeOf: (name) => (byName.has(name) ? undefined : (find(name) ?? findSimilar(name))?.name),
    has: (name) => byName.has(name),
  };
}

function readEntry(entry: string): Listed {
  const [, name, effect, identityAt] = ENTRY.exec(entry) ?? [];
  const known = EFFECTS.find((each) => each === effect);
  if (name === undefined || known === undefined || (identityAt !== undefined && known !== 'revenue_write')) {
    throw new ConfigurationError(
      `TOOL_EFFECTS: found ${JSON.stringify(entry)}; an entry is a tool and its effect, such as order.get=none, and for a tool that moves money where its response has the identity of the act, such as pay.refund=revenue_write:/id`,
    );
  }
  return { name, effect: known, identityAt };
}

/** Refuses two entries for one name, because they could contradict each other. */
function assertDistinct(entries: readonly Listed[]): void {
  const seen = new Map<string, string>();
  for (const { name } of entries) {
    const before = seen.get(name.toLowerCase());
    if (before !== undefined) throw new ConfigurationError(`TOOL_EFFECTS: ${before} and ${name} are the same tool`);
    seen.set(name.toLowerCase(), name);
  }
}

export type ToolDocument = PlanDocument['tools'][number];

/** The part of an action that names its tool. */
interface ToolOfAction {
  readonly tool: string;
  readonly tool_version: string;
}

export function findTool({ tools }: PlanDocument, action: ToolOfAction): ToolDocument | undefined {
  return tools.find(({ name, version }) => name === action.tool && version === action.tool_version);
}

/** JSON pointer to the field of the response that a plan names as the identity of an action. */
export function plannedIdentityAt({ identity, responds }: ToolDocument): string | undefined {
  const field = identity === null ? undefined : responds[identity];
  return typeof field === 'object' && field !== null && 'at' in field && typeof field.at === 'string'
    ? field.at
    : undefined;
}

/**
 * The effect of an action: the higher of the plan's declaration and the list's least effect. The operator may have raised
 * a tool after the plan was approved.
 */
export function effectOf(plan: PlanDocument, action: ToolOfAction, list: ToolList): Effect {
  const least = list.effectOf(action.tool);
  const declared = EFFECTS.find((effect) => effect === findTool(plan, action)?.effect);
  return declared !== undefined && isBelow(least, declared) ? declared : least;
}

export function isBelow(effect: string, least: Effect): boolean {
  return EFFECTS.slice(0, EFFECTS.indexOf(least)).some((each) => each === effect);
}
