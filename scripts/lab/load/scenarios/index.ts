import { createRandom } from '../../random.ts';
import { createChannel } from './channel.ts';
import { createPaid, createToolCall } from './paid.ts';
import { createProbe } from './probe.ts';
import type { Scenario, ScenarioContext } from './scenario.ts';
import { createTrial } from './trial.ts';
import { createVerified } from './verified.ts';

/** The kinds of calls by name. */
const SCENARIOS = {
  probe: createProbe,
  trial: (context: ScenarioContext) => createTrial('html-to-markdown', context),
  geocode: (context: ScenarioContext) => createTrial('geocode', context),
  reverse: (context: ScenarioContext) => createTrial('reverse', context),
  paid: createPaid,
  channel: createChannel,
  tool: createToolCall,
  verified: createVerified,
} as const;

export type ScenarioName = keyof typeof SCENARIOS;
export const SCENARIO_NAMES = Object.keys(SCENARIOS).filter(isScenarioName);

export function isScenarioName(name: string): name is ScenarioName {
  return Object.hasOwn(SCENARIOS, name);
}

/** A scenario and how often it is chosen, in proportion to the others. */
export interface Weighted {
  readonly name: ScenarioName;
  readonly weight: number;
}

/** One scenario, or a mix whose order depends on the seed alone. */
export function createScenario(mix: readonly Weighted[], context: ScenarioContext): Scenario {
  const parts = mix.map(({ name, weight }) => ({ name, weight, scenario: SCENARIOS[name](context) }));
  const total = parts.reduce((sum, { weight }) => sum + weight, 0);
  const random = createRandom(context.seed);
  const choose = () => {
    let at = random.between(0, total);
    const found = parts.find(({ weight }) => {
      at -= weight;
      return at < 0;
    });
    return found ?? parts.at(-1);
  };
  return {
    async prepare(count) {
      // A mix is random, so each part needs a little more than its share.
      const shareOf = (weight: number) => (parts.length === 1 ? count : Math.ceil((count * weight * 1.1) / total) + 50);
      for (const { scenario, weight } of parts) await scenario.prepare(shareOf(weight));
    },
    ready: () => Math.min(...parts.map(({ scenario, weight }) => (scenario.ready() * total) / weight)),
    async send() {
      const part = choose();
      if (part === undefined) throw new Error('the mix is empty');
      const { isGood, code } = await part.scenario.send();
      return { isGood, code: parts.length === 1 ? code : `${part.name} ${code}` };
    },
  };
}
