import type { Answer } from '../run/books.ts';
import { type Call, inspect, outcomeOf, send } from './call.ts';
import type { Client } from './client.ts';

const CONVERT = '/api/v1/content/html-to-markdown';

interface Noise {
  readonly title: string;
  readonly path: string;
  readonly call: Call;
  /** The expected status if all parts of the product are up. */
  readonly status: number;
}

const noise = (title: string, status: number, path: string, call: Call): Noise => ({ title, status, path, call });

const NOISE: readonly [Noise, ...Noise[]] = [
  noise('an empty probe', 402, CONVERT, {}),
  noise('an unsigned call', 402, CONVERT, { body: '{"html":"<p>Noise"}' }),
  noise('text that is not JSON', 400, CONVERT, { body: '{"html":' }),
  noise('an unknown property', 400, CONVERT, { body: '{"html":"a","more":1}' }),
  noise('a proof that is not base64', 400, CONVERT, { body: '{"html":"a"}', headers: { 'sign-in-with-x': '!' } }),
  noise('a payment that is not base64', 400, CONVERT, { body: '{"html":"a"}', headers: { 'payment-signature': '!' } }),
  noise('another type of content', 415, CONVERT, { body: 'a', headers: { 'content-type': 'text/plain' } }),
  noise('an unknown path', 404, '/nothing', {}),
  noise('another method', 405, CONVERT, { method: 'GET' }),
  noise('the description of the API', 200, '/openapi.json', { method: 'GET' }),
  noise('an unknown API key', 401, '/api/v1/plans', { body: '{}', headers: { authorization: 'Bearer nobody' } }),
];

/** Sends a random probe or bad input, and checks the status of the answer. */
export async function makeNoise({ origins, books, random }: Client): Promise<void> {
  const { title, path, call, status } = random.pick(NOISE);
  const answer = await send(random.pick(origins) + path, call);
  inspect(books, title, answer);
  books.count('noise', outcomeOf(answer));
  if (answer !== undefined && !isAllowed(answer, status))
    books.contradict(`${title}: the status is ${answer.status}`, answer);
}

/** 502, 503 and 504 are allowed, because parts of the product may be down. */
const isAllowed = ({ status }: Answer, expected: number) => status === expected || (status >= 502 && status <= 504);
