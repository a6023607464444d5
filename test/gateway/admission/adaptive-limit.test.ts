import test from 'ava';
import { createAdaptiveLimit } from '../../../gateway/admission/adaptive-limit.ts';

/** A limit whose calls are fed by hand: `seconds` of calls with the latency that `latencyAt` gives for a limit. */
function createFed(options: { readonly targetMs: number; readonly least: number; readonly most: number }) {
  let nowMs = 0;
  let loopDelayMs = 0;
  const limit = createAdaptiveLimit({ ...options, monotonicMs: () => nowMs, readLoopDelayMs: () => loopDelayMs });
  const feed = (seconds: number, latencyAt: (running: number) => number, running = () => limit.current()) => {
    const endMs = nowMs + seconds * 1000;
    while (nowMs < endMs) {
      nowMs += 5;
      limit.note({ latencyMs: latencyAt(running()), isOverload: false, running: running() });
    }
  };
  return {
    limit,
    feed,
    overload: () => limit.note({ latencyMs: 1, isOverload: true, running: limit.current() }),
    pass: (ms: number) => (nowMs += ms),
    delayLoop: (ms: number) => (loopDelayMs = ms),
  };
}

const OPTIONS = { targetMs: 100, least: 8, most: 10_000 };

test('the limit settles where the latency reaches its target', (t) => {
  // A server that answers 1000 calls a second: by the law of Little, a call takes a millisecond for each in progress.
  const { limit, feed } = createFed(OPTIONS);
  feed(60, (running) => Math.max(5, running));
  t.true(limit.current() >= 80 && limit.current() <= 110, String(limit.current()));
  // The server gets slower by half.
  feed(20, (running) => Math.max(5, running * 2));
  t.true(limit.current() >= 40 && limit.current() <= 58, String(limit.current()));
});

test('calls that take long by themselves leave the least limit, and never less', (t) => {
  const { limit, feed } = createFed(OPTIONS);
  feed(60, () => 5000);
  t.is(limit.current(), OPTIONS.least);
});

test('a few long calls among many short ones do not lower the limit', (t) => {
  const { limit, feed } = createFed(OPTIONS);
  let calls = 0;
  feed(10, () => {
    calls += 1;
    return calls % 3 === 0 ? 3000 : 10;
  });
  t.true(limit.current() > 100, String(limit.current()));
});

test('the limit does not rise while it is not used', (t) => {
  const { limit, feed } = createFed(OPTIONS);
  const before = limit.current();
  feed(
    60,
    () => 5,
    () => 3,
  );
  t.is(limit.current(), before);
});

test('refusals of a service lower the limit, whatever their latency', (t) => {
  const { limit, overload, pass } = createFed(OPTIONS);
  const before = limit.current();
  for (let call = 0; call < 40; call += 1) {
    pass(20);
    overload();
  }
  t.true(limit.current() < before);
});

test('the limit stays below its maximum', (t) => {
  const { limit, feed } = createFed({ ...OPTIONS, most: 50 });
  feed(60, () => 1);
  t.is(limit.current(), 50);
});

test('a slow event loop of this process does not lower the limit', (t) => {
  const { limit, feed, delayLoop } = createFed(OPTIONS);
  const before = limit.current();
  delayLoop(100);
  feed(10, () => 600);
  t.true(limit.current() >= before, String(limit.current()));
  delayLoop(0);
  feed(10, () => 600);
  t.true(limit.current() < before, String(limit.current()));
});
