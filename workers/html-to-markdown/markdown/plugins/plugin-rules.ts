import TurndownService from 'turndown';
import { ConversionError } from '../../parse/conversion-error.ts';
import type { TreeNode } from '../../parse/tree.ts';
import { domNodeOf } from './dom-node.ts';

export type TurndownPlugin = TurndownService.Plugin;

/** Longer messages of plugins are cut. */
const MAX_MESSAGE_CHARACTERS = 200;

/**
 * Turndown with the plugins of an operator. Turndown chooses between the rules that they add, its own CommonMark rules, and
 * what they keep and remove. Where it chooses a rule of its own, this converter writes the element.
 */
export class PluginRules {
  private readonly service = new TurndownService();
  private readonly own = new Set<unknown>();
  /** Its first element is 1 while a plugin runs. */
  running: Int32Array | undefined;

  /** @throws what a plugin throws */
  constructor(plugins: readonly TurndownPlugin[]) {
    const { rules } = this.service;
    for (const rule of rules.array) this.own.add(rule);
    this.own.add(rules.blankRule);
    this.own.add(rules.defaultRule);
    this.service.use([...plugins]);
  }

  /** The plugin's rule for an element. Null if it is not for plugins. @throws {ConversionError} PLUGIN_FAILED */
  find(node: TreeNode): TurndownService.Rule | null {
    const rule = this.call(() => this.service.rules.forNode(elementOf(node)));
    return this.own.has(rule) ? null : rule;
  }

  /** What a rule writes for an element. @throws {ConversionError} PLUGIN_FAILED */
  write({ replacement }: TurndownService.Rule, content: string, node: TreeNode): string {
    const text: unknown = this.call(() => replacement?.(content, elementOf(node), this.service.options));
    if (typeof text === 'string') return text;
    throw failed(`a rule for ${node.nodeName} returned no text`);
  }

  private call<T>(plugin: () => T): T {
    if (this.running !== undefined) Atomics.store(this.running, 0, 1);
    try {
      return plugin();
    } catch (error) {
      throw failed(messageOf(error));
    } finally {
      if (this.running !== undefined) Atomics.store(this.running, 0, 0);
    }
  }
}

const elementOf = (node: TreeNode) => domNodeOf(node) as object as Parameters<TurndownService.Rules['forNode']>[0];

function failed(cause: string): ConversionError {
  return new ConversionError('PLUGIN_FAILED', `a Turndown plugin of this service failed: ${cause}`);
}

/** A plugin may throw anything, even a value that throws when it is read. */
export function messageOf(error: unknown): string {
  try {
    return String(error).slice(0, MAX_MESSAGE_CHARACTERS);
  } catch {
    return 'it threw a value without a text';
  }
}
