import type { EndpointAnswer } from './endpoint.ts';

/** What the service answered to a write. */
interface Guarded {
  readonly answer: string;
  /** It was answered before, and nothing was done now. */
  readonly replayed: boolean;
}

export function toAnswer({ answer, replayed }: Guarded): EndpointAnswer {
  return { body: answer, headers: replayed ? { 'idempotency-replayed': 'true' } : {} };
}

/** As `toAnswer`, of a check. */
export function toCheckAnswer(check: string, guarded: Guarded): EndpointAnswer {
  if (guarded.replayed) return toAnswer(guarded);
  const { result } = JSON.parse(guarded.answer) as { readonly result: Verdict };
  return { ...toAnswer(guarded), verdicts: { [check]: result.verdict } };
}

/** As `toAnswer`, of a verification. */
export function toVerificationAnswer(guarded: Guarded): EndpointAnswer {
  if (guarded.replayed) return toAnswer(guarded);
  const { verdicts } = JSON.parse(guarded.answer) as { readonly verdicts: Readonly<Record<string, Verdict>> };
  const named = Object.entries(verdicts).map(([check, { verdict }]) => [check, verdict]);
  return { ...toAnswer(guarded), verdicts: Object.fromEntries(named) };
}

interface Verdict {
  readonly verdict: string;
}
