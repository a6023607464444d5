import { readFileSync } from 'node:fs';
import { type handleUnaryCall, Metadata, type UntypedServiceImplementation } from '@grpc/grpc-js';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';

/** What a process says of itself with each answer about its health. */
export interface ProcessFacts {
  readonly version: string;
  readonly startedAt: Date;
}

const VERSION_KEY = 'tollhouse-version';
const STARTED_KEY = 'tollhouse-started-at-ms';

const Manifest = Compile(Type.Object({ version: Type.String() }));

/** The version of this product. */
export const PRODUCT_VERSION = readVersion();

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  if (!Manifest.Check(manifest)) throw new Error('package.json has no version');
  return manifest.version;
}

export const processStartedAt = (): Date => new Date(Math.round(performance.timeOrigin));

/** The methods of the health protocol, with the facts of this process in the metadata of each answer of Check. */
export function addProcessFacts(health: UntypedServiceImplementation): UntypedServiceImplementation {
  const facts = new Metadata();
  facts.set(VERSION_KEY, PRODUCT_VERSION);
  facts.set(STARTED_KEY, String(processStartedAt().getTime()));
  const { check } = health;
  if (!isUnary(check)) throw new Error('the health protocol has no method Check');
  const checkWithFacts: handleUnaryCall<unknown, unknown> = (call, callback) => {
    call.sendMetadata(facts);
    check(call, callback);
  };
  return { ...health, check: checkWithFacts };
}

const isUnary = (handler: unknown): handler is handleUnaryCall<unknown, unknown> => typeof handler === 'function';

/** Reads the facts from the metadata of an answer. A process of an earlier release sends none. */
export function readProcessFacts(metadata: Metadata): ProcessFacts | undefined {
  const [version] = metadata.get(VERSION_KEY);
  const [started] = metadata.get(STARTED_KEY);
  if (typeof version !== 'string' || typeof started !== 'string' || !/^\d{1,15}$/.test(started)) return undefined;
  return { version, startedAt: new Date(Number(started)) };
}
