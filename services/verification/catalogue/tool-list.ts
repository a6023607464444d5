import { ConfigurationError } from '../../platform/process/environment.ts';
import { compareVersions } from './compare-versions.ts';
import { foldToolName } from './fold-tool-name.ts';
import { isWithinOneEdit } from './one-edit-apart.ts';
import type { PlanTool } from './plan-tools.ts';

const EFFECTS = ['none', 'write', 'revenue_write'] as const;
export type Effect = (typeof EFFECTS)[number];

/**
 * The tools that are known: those of the operator's setting TOOL_EFFECTS, and those of a catalogue. A description may have a
 * higher effect than the list, and never a lower one.
 */
export interface ToolList {
  /** Least effect of a tool. A tool that is not listed may move money. */
  effectOf(name: string): Effect;
  /**
   * JSON pointer to the identity of an action in the tool's response; undefined if the list has none. Versions of a tool
   * may have it in different places.
   */
  identityAt(name: string, version: string): string | undefined;
  /** The listed name that an unlisted name is confusable with. For tools that move money, similar names count too. */
  lookalikeOf(name: string): string | undefined;
  has(name: string): boolean;
  /** The same list with the tools of a catalogue. What the setting says about a tool wins, unless its effect is lower. */
  with(catalogue: readonly ListedVersion[]): ToolList;
}

interface Listed {
  readonly name: string;
  readonly effect: Effect;
  readonly identityAt: string | undefined;
}

/** A tool of a catalogue. */
export interface ListedVersion extends Listed {
  readonly version: string;
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
  return createToolList(entries, []);
}

function createToolList(setting: readonly Listed[], catalogue: readonly ListedVersion[]): ToolList {
  const all: readonly Listed[] = [...setting, ...catalogue];
  const byName = Map.groupBy(all, ({ name }) => name);
  const byFoldedName = Map.groupBy(all, ({ name }) => foldToolName(name));
  /** The entries of the name, or else of the names that it can be mistaken for. */
  const find = (name: string): readonly Listed[] => byName.get(name) ?? byFoldedName.get(foldToolName(name)) ?? [];
  const moneyNames = [...byFoldedName].filter(([, entries]) => leastOf(entries) === 'revenue_write');
  const findSimilar = (name: string) => {
    const folded = foldToolName(name);
    return moneyNames.find(([money]) => isWithinOneEdit(money, folded))?.[1];
  };
  return {
    effectOf: (name) => leastOf(find(name)) ?? 'revenue_write',
    identityAt(name, version) {
      const entries = find(name);
      const ofSetting = entries.find((entry) => !isOfCatalogue(entry) && entry.identityAt !== undefined);
      const versions = entries.filter(isOfCatalogue).filter(({ identityAt }) => identityAt !== undefined);
      const same = versions.find((entry) => entry.version === version);
      return (ofSetting ?? same ?? versions.toSorted(byVersion).at(-1))?.identityAt;
    },
    lookalikeOf: (name) => (byName.has(name) ? undefined : (find(name)[0] ?? findSimilar(name)?.[0])?.name),
    has: (name) => byName.has(name),
    with: (more) => createToolList(setting, [...catalogue, ...more]),
  };
}

const isOfCatalogue = (entry: Listed): entry is ListedVersion => 'version' in entry;

/** The higher of the setting and of the newest version in the catalogue. Undefined for a tool that is not listed. */
function leastOf(entries: readonly Listed[]): Effect | undefined {
  const newest = entries.filter(isOfCatalogue).toSorted(byVersion).at(-1);
  const counting = [...entries.filter((entry) => !isOfCatalogue(entry)), ...(newest === undefined ? [] : [newest])];
  return EFFECTS.findLast((effect) => counting.some((entry) => entry.effect === effect));
}

const byVersion = (one: ListedVersion, other: ListedVersion): number => compareVersions(one.version, other.version);

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

/** The part of an action that names its tool. */
interface ToolOfAction {
  readonly tool: string;
  readonly tool_version: string;
}

export function findTool(tools: readonly PlanTool[], action: ToolOfAction): PlanTool | undefined {
  return tools.find(({ name, version }) => name === action.tool && version === action.tool_version);
}

/**
 * The effect of an action: the higher of the plan's declaration and the list's least effect. The operator may have raised
 * a tool after the plan was approved.
 */
export function effectOf(tools: readonly PlanTool[], action: ToolOfAction, list: ToolList): Effect {
  const least = list.effectOf(action.tool);
  const declared = EFFECTS.find((effect) => effect === findTool(tools, action)?.effect);
  return declared !== undefined && isBelow(least, declared) ? declared : least;
}

export function isBelow(effect: string, least: Effect): boolean {
  return EFFECTS.slice(0, EFFECTS.indexOf(least)).some((each) => each === effect);
}
