import { ConfigurationError } from '../shared/environment.ts';
import type { Logger } from '../shared/logger.ts';

const CHECK_EVERY_MS = 1000;

export interface ReadinessOptions {
  /** Throws while the service cannot do its work. */
  readonly check: () => Promise<void>;
  readonly setReady: (ready: boolean) => void;
  readonly logger: Logger;
}

/** Checks once and from then on every second. @throws {ConfigurationError} from the first check: waiting would not help. */
export async function startReadiness({ check, setReady, logger }: ReadinessOptions): Promise<() => void> {
  let stopped = false;
  let wasReady: boolean | undefined;
  const look = async (): Promise<unknown> => {
    const failure: unknown = await check().then(
      () => undefined,
      (error: unknown) => error,
    );
    const ready = failure === undefined;
    if (stopped) return undefined;
    if (ready !== wasReady) {
      setReady(ready);
      if (ready) logger.info('ready');
      else logger.warn({ err: failure }, 'not ready');
      wasReady = ready;
    }
    return failure;
  };
  const failure = await look();
  if (failure instanceof ConfigurationError) throw failure;
  let timer: NodeJS.Timeout;
  const schedule = () => {
    timer = setTimeout(() => void look().then(() => !stopped && schedule()), CHECK_EVERY_MS);
  };
  schedule();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
