export interface QueuedEvent {
  readonly atMs: number;
  readonly order: number;
  /** Undefined once the event is cancelled. */
  run: (() => void) | undefined;
}

/** A queue of events by time. Events of the same time leave in the order in which they entered (a binary heap). */
export interface EventQueue {
  push(atMs: number, run: () => void): QueuedEvent;
  pop(): QueuedEvent | undefined;
}

const isBefore = (one: QueuedEvent, other: QueuedEvent) =>
  one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);

export function createEventQueue(): EventQueue {
  const heap: QueuedEvent[] = [];
  let entered = 0;

  function rise(event: QueuedEvent, from: number): void {
    let at = from;
    while (at > 0) {
      const parentAt = (at - 1) >> 1;
      const parent = heap[parentAt];
      if (parent === undefined || !isBefore(event, parent)) break;
      heap[at] = parent;
      at = parentAt;
    }
    heap[at] = event;
  }

  function sink(event: QueuedEvent): void {
    let at = 0;
    for (;;) {
      const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]];
      if (left === undefined) break;
      const isRight = right !== undefined && isBefore(right, left);
      const child = isRight ? right : left;
      if (!isBefore(child, event)) break;
      heap[at] = child;
      at = 2 * at + (isRight ? 2 : 1);
    }
    heap[at] = event;
  }

  return {
    push(atMs, run) {
      entered += 1;
      const event: QueuedEvent = { atMs, order: entered, run };
      rise(event, heap.length);
      return event;
    },
    pop() {
      const [first] = heap;
      const last = heap.pop();
      if (first !== undefined && last !== undefined && heap.length > 0) sink(last);
      return first;
    },
  };
}
