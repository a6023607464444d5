import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import type { Hex } from 'viem';
import { toolNameOf } from '../../../../gateway/operations/operation/operation.ts';
import { type Required, readRequired, requiredOf, type SignedPayment } from '../../../cli/try/offers.ts';
import type { Answer, Books, PaidReply } from '../run/books.ts';
import type { Order } from './bodies.ts';
import { codeOf, inspect, send } from './call.ts';

/** A way to pay for a call: over HTTP or as an MCP tool. */
export interface Channel {
  readonly name: string;
  /** Sends an unpaid call. @returns the payment requirements, or undefined if there are none */
  ask(origin: string, order: Order): Promise<Required | undefined>;
  pay(origin: string, order: Order, payment: SignedPayment): Promise<PaidReply>;
}

const PaymentResponse = Type.Object({ success: Type.Boolean(), transaction: Type.String() });
const checkResponse = Compile(PaymentResponse);

function readTransaction(value: unknown): Hex | undefined {
  return checkResponse.Check(value) && value.success ? `0x${value.transaction.replace(/^0x/, '')}` : undefined;
}

export const overHttp = (books: Books): Channel => ({
  name: 'payment over HTTP',
  async ask(origin, { operation, body }) {
    const answer = await send(origin + operation.path, { body });
    inspect(books, 'an unpaid call', answer);
    return requiredOf(answer);
  },
  async pay(origin, { operation, body }, { header }) {
    const answer = await send(origin + operation.path, { body, headers: { 'payment-signature': header } });
    inspect(books, 'a paid call', answer);
    return readHttpReply(books, answer);
  },
});

function readHttpReply(books: Books, answer: Answer | undefined): PaidReply {
  if (answer === undefined) return { kind: 'broken' };
  const header = answer.headers.get('payment-response');
  const response: unknown = header === null ? undefined : JSON.parse(Buffer.from(header, 'base64').toString('utf8'));
  if (answer.status === 200) {
    const transaction = readTransaction(response);
    if (transaction !== undefined) return { kind: 'settled', text: answer.text, transaction };
    books.contradict('a paid result without a settlement', answer);
  }
  if (answer.status === 402)
    return response === undefined ? { kind: 'unpaid', reason: reasonOf(answer) } : { kind: 'failed' };
  return { kind: 'error', code: codeOf(answer) ?? String(answer.status) };
}

function reasonOf(answer: Answer): string {
  const header = answer.headers.get('payment-required') ?? '';
  return /"error":"([^"]*)"/.exec(Buffer.from(header, 'base64').toString('utf8'))?.[1] ?? 'no reason';
}

const ToolAnswer = Type.Object({
  result: Type.Object({
    isError: Type.Optional(Type.Boolean()),
    content: Type.Array(Type.Object({ text: Type.String() })),
    structuredContent: Type.Optional(Type.Unknown()),
    _meta: Type.Optional(Type.Object({ 'x402/payment-response': Type.Optional(Type.Unknown()) })),
  }),
});
const checkToolAnswer = Compile(ToolAnswer);
const Refusal = Type.Object({ error: Type.Union([Type.String(), Type.Object({ code: Type.String() })]) });
const checkRefusal = Compile(Refusal);

async function callTool(books: Books, origin: string, { operation, args }: Order, payment?: SignedPayment) {
  const meta = payment === undefined ? {} : { _meta: { 'x402/payment': payment.payload } };
  const params = { name: toolNameOf(operation), arguments: args, ...meta };
  const answer = await send(`${origin}/mcp`, {
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    headers: { accept: 'application/json, text/event-stream' },
  });
  if (answer?.status === 500) books.contradict('a tool call: the status is 500', answer);
  return answer;
}

export const asTool = (books: Books): Channel => ({
  name: 'payment as a tool',
  async ask(origin, order) {
    const answer = await callTool(books, origin, order);
    const message: unknown = answer?.status === 200 ? JSON.parse(answer.text) : undefined;
    return checkToolAnswer.Check(message) ? readRequired(message.result.structuredContent) : undefined;
  },
  async pay(origin, order, payment) {
    const answer = await callTool(books, origin, order, payment);
    if (answer === undefined) return { kind: 'broken' };
    if (answer.status !== 200) return { kind: 'error', code: codeOf(answer) ?? String(answer.status) };
    const message: unknown = JSON.parse(answer.text);
    if (!checkToolAnswer.Check(message)) return { kind: 'error', code: 'not a tool answer' };
    const { isError, content, structuredContent, _meta } = message.result;
    const transaction = readTransaction(_meta?.['x402/payment-response']);
    const text = content[0]?.text;
    if (isError !== true && transaction !== undefined && text !== undefined)
      return { kind: 'settled', text, transaction };
    if (isError !== true) books.contradict('a paid result of a tool without a settlement', answer);
    if (!checkRefusal.Check(structuredContent)) return { kind: 'error', code: 'a refusal without a reason' };
    const { error } = structuredContent;
    if (typeof error !== 'string') return { kind: 'error', code: error.code };
    return _meta?.['x402/payment-response'] === undefined ? { kind: 'unpaid', reason: error } : { kind: 'failed' };
  },
});
