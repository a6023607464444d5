import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';

const Request = Type.Object({ type: Type.Literal('tollhouse:metrics'), id: Type.Integer() });
const Reply = Type.Object({
  type: Type.Literal('tollhouse:metrics-text'),
  id: Type.Integer(),
  text: Type.Union([Type.String(), Type.Null()]),
});
const isRequest = Compile(Request);
const isReply = Compile(Reply);

/** Lets the primary answer requests of a process for the metrics of all processes. */
export function answerMetrics(worker: Worker, readAll: () => Promise<string>): void {
  worker.on('message', (message: unknown) => {
    if (!isRequest.Check(message)) return;
    const { id } = message;
    const reply = (text: string | null) => {
      if (worker.isConnected()) worker.send({ type: 'tollhouse:metrics-text', id, text });
    };
    readAll().then(reply, () => reply(null));
  });
}

/**
 * A function that reads the metrics of all processes of this gateway, in the text format of Prometheus, from any of them.
 * Alone, a process has only its own.
 */
export function createMetricsReader(registry: Registry): () => Promise<string> {
  if (!cluster.isWorker) return () => registry.metrics();
  AggregatorRegistry.setRegistries([registry]);
  // It makes this process answer the primary, when that collects the metrics of all.
  new AggregatorRegistry();
  const waiting = new Map<number, (text: string | null) => void>();
  let lastId = 0;
  process.on('message', (message: unknown) => {
    if (!isReply.Check(message)) return;
    waiting.get(message.id)?.(message.text);
    waiting.delete(message.id);
  });
  return () =>
    new Promise((resolve, reject) => {
      lastId += 1;
      waiting.set(lastId, (text) => {
        if (text === null) reject(new Error('another gateway process did not report its metrics'));
        else resolve(text);
      });
      process.send?.({ type: 'tollhouse:metrics', id: lastId });
    });
}
